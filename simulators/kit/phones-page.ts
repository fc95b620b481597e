import { escapeHtml, renderDocument, renderLiveRegion, renderScreen, type Screen } from './page.ts';

export type Phone = {
  /** The vendor's name in code. */
  readonly name: string;
  /** The displayed name of the phone. */
  readonly phone: string;
  /** Color of the frame, which distinguishes the phones. */
  readonly colour: string;
  /** URL of the vendor's own page. Empty if there is none. */
  readonly url: string;
  readonly screen: Screen;
};

/**
 * Renders the phones side by side. With `sendPath`, the page has a form that posts a title and a body to this path as
 * JSON.
 */
export function renderPhonesPage(phones: readonly Phone[], { sendPath }: { readonly sendPath?: string } = {}): string {
  return renderDocument(
    'Simulated phones',
    `<main class="all">
<header><h1>Simulated phones</h1><span>Newest notification first. Click a notification to expand it.</span></header>
<div class="phones">
${sendPath === undefined ? '' : renderSendForm(sendPath)}
${phones.map(renderPhone).join('\n')}
</div>
</main>`,
  );
}

function renderSendForm(path: string): string {
  return `<form class="send" action="${escapeHtml(path)}">
<h2>Send to all phones</h2>
<label>Title<input name="title" required maxlength="50" value="Hello"></label>
<label>Body<textarea name="body" rows="3" maxlength="200">One request, every device.</textarea></label>
<button>Send</button>
<output role="status"></output>
</form>
<script>
  document.querySelector('form.send').addEventListener('submit', async (event) => {
    event.preventDefault();
    const form = event.target;
    const [button, output] = [form.querySelector('button'), form.querySelector('output')];
    button.disabled = true;
    output.textContent = 'Sending …';
    const body = JSON.stringify(Object.fromEntries(new FormData(form)));
    const response = await fetch(form.action, { method: 'POST', body }).catch(() => undefined);
    output.textContent = response ? await response.text() : 'The demo does not respond. Start it with npm run dev.';
    button.disabled = false;
  });
</script>`;
}

function renderPhone({ name, phone, colour, url, screen }: Phone): string {
  const caption = escapeHtml(captionOf(screen));
  const link = url === '' ? `<span>${caption}</span>` : `<a href="${escapeHtml(url)}">${caption}</a>`;
  return `<section class="phone" style="--maker: ${escapeHtml(colour)}" aria-label="${escapeHtml(phone)}">
<header><h2>${escapeHtml(phone)}</h2>${renderLiveRegion(`${name}-count`, screen, link)}</header>
${renderLiveRegion(name, screen, renderScreen(screen))}
</section>`;
}

const captionOf = ({ title, total }: Screen): string => `${title} · ${total} delivered`;
