import { escapeHtml, renderDocument, renderLiveRegion, renderScreen, type Screen } from './page.ts';

export type Phone = {
  /** The vendor's name in programs. */
  readonly name: string;
  /** What people call the phone. */
  readonly phone: string;
  /** Of its frame, so that phones are told apart at a glance. */
  readonly colour: string;
  /** Where the vendor's own page is. */
  readonly url: string;
  readonly screen: Screen;
};

/** A phone of each vendor, side by side. */
export function renderPhonesPage(phones: readonly Phone[]): string {
  return renderDocument(
    'Pretend phones',
    `<main class="all">
<header><h1>Pretend phones</h1><span>What each vendor's phone would show, newest first, as it arrives. A click unfolds.</span></header>
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

const captionOf = ({ title, total }: Screen): string => `${title} · ${total} arrived`;
