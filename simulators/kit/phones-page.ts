import { escapeHtml, renderDocument, renderLiveRegion, renderScreen, type Screen } from './page.ts';

export type Phone = {
  /** The vendor's name in code. */
  readonly name: string;
  /** The displayed name of the phone. */
  readonly phone: string;
  /** Color of the frame, which distinguishes the phones. */
  readonly colour: string;
  /** URL of the vendor's own page. */
  readonly url: string;
  readonly screen: Screen;
};

/** Renders one phone per vendor, side by side. */
export function renderPhonesPage(phones: readonly Phone[]): string {
  return renderDocument(
    'Simulated phones',
    `<main class="all">
<header><h1>Simulated phones</h1><span>Notifications on a phone of each vendor, newest first. Click a notification to expand it.</span></header>
<div class="phones">
${phones.map(renderPhone).join('\n')}
</div>
</main>`,
  );
}

function renderPhone({ name, phone, colour, url, screen }: Phone): string {
  const countLink = renderLiveRegion(
    `${name}-count`,
    screen,
    `<a href="${escapeHtml(url)}">${escapeHtml(captionOf(screen))}</a>`,
  );
  return `<section class="phone" style="--maker: ${escapeHtml(colour)}" aria-label="${escapeHtml(phone)}">
<header><h2>${escapeHtml(phone)}</h2>${countLink}</header>
${renderLiveRegion(name, screen, renderScreen(screen))}
</section>`;
}

const captionOf = ({ title, total }: Screen): string => `${title} · ${total} delivered`;
