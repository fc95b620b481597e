/** What a phone would show of an arrival, whoever the vendor. */
export type PhoneView = {
  readonly app: string;
  /** Without title and text it is silent: the app alone hears of it. */
  readonly title: string;
  readonly text: string;
  /** `7` sets the number on the app's icon, `+1` adds to it. */
  readonly badge: string | undefined;
  /** An address. */
  readonly picture: string | undefined;
  /** What the app gets besides, as text. */
  readonly data: string | undefined;
  /** Other words about it, such as the environment. */
  readonly details: readonly string[];
  readonly token: string;
  readonly at: number;
};

const SHOWN_MAX = 100; // a phone's screen, not an archive: GET /arrived has the rest
const REFRESH_SECONDS = 2;

/** What the phones of one vendor would show, newest first. */
export function renderPage<Arrival>(
  title: string,
  arrivals: readonly Arrival[],
  viewOf: (arrival: Arrival) => PhoneView,
): string {
  const shown = arrivals.slice(-SHOWN_MAX).reverse();
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="${REFRESH_SECONDS}">
<title>Pretend ${escapeHtml(title)}</title>
<style>
  body { font: 15px/1.4 system-ui, sans-serif; max-width: 26rem; margin: 2rem auto; padding: 0 1rem; background: #dde3ea; color: #222 }
  h1 { font-size: 1.4rem; margin: 0 }
  article { background: #fff; border-radius: 1rem; padding: .7rem 1rem; margin: .6rem 0; overflow-wrap: anywhere }
  article.silent { background: #eef1f5; color: #667 }
  small { display: flex; justify-content: space-between; gap: 1rem; color: #667 } time { white-space: nowrap }
  h2 { font-size: 1em; margin: .2rem 0 0 } p { margin: .1rem 0 .3rem; white-space: pre-line }
  b { float: right; background: #e33; color: #fff; border-radius: 1rem; padding: 0 .5rem; margin: .2rem 0 0 .5rem; font-size: .85em }
  img { display: block; max-width: 100%; max-height: 10rem; border-radius: .5rem; margin: .4rem 0; color: #667; font-size: .8rem }
  code { display: block; font-size: .8rem; background: #e6eaef; border-radius: .4rem; padding: .3rem .5rem; margin: .3rem 0 }
</style>
<h1>Pretend ${escapeHtml(title)}</h1>
<p>${arrivals.length} arrived, the newest ${shown.length} are shown.</p>
${shown.map((arrival) => renderNotification(viewOf(arrival))).join('\n')}
</html>
`;
}

function renderNotification({ app, title, text, badge, picture, data, details, token, at }: PhoneView): string {
  const isSilent = title === '' && text === '';
  const about = [app, ...details].filter((word) => word !== '').join(' · ');
  const clock = new Date(at).toISOString();
  return `<article${isSilent ? ' class="silent"' : ''}>
<small><span>${escapeHtml(about)}</span><time datetime="${clock}">${clock.slice(11, 19)} UTC</time></small>
${badge === undefined ? '' : `<b>${escapeHtml(badge)}</b>`}
<h2>${isSilent ? '(silent)' : escapeHtml(title)}</h2>
<p>${escapeHtml(text)}</p>
${picture === undefined ? '' : `<img src="${escapeHtml(picture)}" alt="${escapeHtml(picture)}" referrerpolicy="no-referrer">`}
${data === undefined ? '' : `<code>${escapeHtml(data)}</code>`}
<small>${escapeHtml(token)}</small>
</article>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
