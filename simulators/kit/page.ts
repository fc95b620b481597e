import { style } from './page-style.ts';

/** A delivery as a phone displays it, independent of the vendor. */
export type PhoneView = {
  readonly app: string;
  /** If title and text are empty, the message is data-only: only the app receives it. */
  readonly title: string;
  readonly text: string;
  /** Text of the expanded notification, if it is different. */
  readonly largeText?: string | undefined;
  /** `7` sets the number on the app's icon, `+1` adds to it. */
  readonly badge: string | undefined;
  /** URL of the picture. */
  readonly picture: string | undefined;
  /** Additional data for the app, as a string. */
  readonly data: string | undefined;
  /** Other properties to display, such as the environment. */
  readonly details: readonly string[];
  readonly token: string;
  readonly at: number;
};

/** The notifications on the phones of one vendor. */
export type Screen = {
  /** The vendor's name on the page. */
  readonly title: string;
  /** Number of deliveries. */
  readonly total: number;
  /** The newest deliveries, newest first. */
  readonly views: readonly PhoneView[];
};

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#23456f"/>' +
  '<path d="M6 11V4l5-1v7" fill="none" stroke="#fff" stroke-width="1.4"/><circle cx="5" cy="11" r="1.7" fill="#fff"/>' +
  '<circle cx="10" cy="10" r="1.7" fill="#fff"/></svg>';

const SHOWN_MAX = 100; // limits the size of the page; GET /arrived returns more
const REFRESH_MS = 2000;

export function screenOf<Arrival>(
  title: string,
  arrivals: readonly Arrival[],
  viewOf: (arrival: Arrival) => PhoneView,
): Screen {
  return { title, total: arrivals.length, views: arrivals.slice(-SHOWN_MAX).reverse().map(viewOf) };
}

/** Renders the page of one vendor's phones. */
export function renderPage(screen: Screen): string {
  const { title, total, views } = screen;
  return renderDocument(
    `${title} simulator`,
    `<main class="one">
<h1>${escapeHtml(title)} simulator</h1>
${renderLiveRegion('screen', screen, `<p>${total} delivered, showing the newest ${views.length}.</p>${renderScreen(screen)}`)}
</main>`,
  );
}

/**
 * Renders a page that polls its own URL and replaces only the parts that have changed, so that expanded details in
 * other parts stay open. Screen readers announce new notifications.
 */
export function renderDocument(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}">
<style>${style}</style>
${body}
<p class="announcement" role="status"></p>
<script>
  const announcement = document.querySelector('.announcement');
  setInterval(async () => {
    try {
      const response = await fetch('');
      if (!response.ok) throw new Error(response.status);
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      const news = [];
      for (const old of document.querySelectorAll('[data-state]')) {
        const now = page.getElementById(old.id);
        if (!now || now.dataset.state === old.dataset.state) continue;
        old.replaceWith(now);
        const title = now.querySelector('h3');
        if (title) news.push((now.closest('section')?.ariaLabel ?? 'Phone') + ': ' + title.textContent);
      }
      if (news.length > 0) announcement.textContent = 'New notifications. ' + news.join('. ');
      document.body.classList.remove('stopped');
    } catch {
      document.body.classList.add('stopped');
    }
  }, ${REFRESH_MS});
</script>
</html>
`;
}

/** Renders a part of a page that is replaced after a delivery. */
export function renderLiveRegion(id: string, { total, views }: Screen, html: string): string {
  return `<div id="${escapeHtml(id)}" data-state="${total}.${views[0]?.at ?? 0}">${html}</div>`;
}

export function renderScreen({ views }: Screen): string {
  if (views.length === 0) return '<p class="nothing">No notifications yet.</p>';
  return views.map(renderNotification).join('\n');
}

function renderNotification(view: PhoneView): string {
  const { app, title, text, largeText, badge, picture, data, details, token, at } = view;
  const isSilent = title === '' && text === '';
  const caption = [app, ...details].filter((word) => word !== '').join(' · ');
  const arrivedAt = new Date(at);
  return `<article${isSilent ? ' class="silent"' : ''} tabindex="0">
<i>♪${badge === undefined ? '' : `<b>${escapeHtml(badge)}</b>`}</i>
<small><span>${escapeHtml(caption)}</span><time datetime="${arrivedAt.toISOString()}">${arrivedAt.toLocaleTimeString('en-GB')}</time></small>
<h3>${isSilent ? 'Data-only message' : escapeHtml(title)}</h3>
${text === '' ? '' : `<p>${escapeHtml(text)}</p>`}
${largeText === undefined || largeText === text ? '' : `<p class="large">${escapeHtml(largeText)}</p>`}
${picture === undefined ? '' : `<img src="${escapeHtml(picture)}" alt="${escapeHtml(picture)}" referrerpolicy="no-referrer">`}
${data === undefined ? '' : `<details${isSilent ? ' open' : ''}><summary>app data</summary><code>${escapeHtml(data)}</code></details>`}
<small class="token">${escapeHtml(token)}</small>
</article>`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
