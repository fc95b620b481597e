// Search, copy buttons and the menu of the reference page. Without scripts, the page shows all operations.
(() => {
  const search = document.getElementById('search');
  const matches = document.getElementById('matches');
  const menu = document.querySelector('.menu');
  const operations = [...document.querySelectorAll('.operation')].map((section) => ({
    section,
    entry: document.querySelector(`[data-operation="${section.id}"]`).parentElement,
    text: section.textContent.toLowerCase(),
  }));
  const narrow = matchMedia('(max-width: 60rem)');

  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { section, entry, text } of operations) {
      const isMatch = words.every((word) => text.includes(word));
      section.hidden = !isMatch;
      entry.hidden = !isMatch;
      if (isMatch) count++;
    }
    for (const group of document.querySelectorAll('.group'))
      group.hidden = ![...group.querySelectorAll('li, .operation')].some((item) => !item.hidden);
    document.getElementById('every-call').hidden = words.length > 0;
    matches.textContent = words.length > 0 ? `${count} of ${operations.length} operations` : '';
  };
  search.addEventListener('input', () => {
    filter();
    scrollTo(0, 0);
  });

  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && document.activeElement !== search) {
      event.preventDefault();
      search.focus();
    } else if (event.key === 'Escape' && document.activeElement === search) {
      search.value = '';
      filter();
    }
  });

  const showMenu = () => {
    menu.open = !narrow.matches;
  };
  narrow.addEventListener('change', showMenu);
  showMenu();
  menu.addEventListener('click', (event) => {
    if (narrow.matches && event.target.closest('a')) menu.open = false;
  });

  // A link to an operation that the search hides must still work.
  const reveal = () => {
    if (!location.hash || !document.querySelector(location.hash)?.hidden) return;
    search.value = '';
    filter();
    document.querySelector(location.hash).scrollIntoView();
  };
  addEventListener('hashchange', reveal);

  for (const pre of document.querySelectorAll('pre')) {
    const text = pre.textContent;
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    const showResult = (isCopied) => {
      button.textContent = isCopied ? 'Copied' : 'Press Ctrl+C';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2_000);
    };
    button.addEventListener('click', () => void copy(text, pre).then(showResult));
    const block = document.createElement('div');
    block.className = 'block';
    pre.replaceWith(block);
    block.append(pre, button);
  }

  // Browsers offer the clipboard only over HTTPS and on localhost. Elsewhere, the text is selected for the user.
  async function copy(text, pre) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      getSelection().selectAllChildren(pre);
      return document.execCommand('copy');
    }
  }
})();
