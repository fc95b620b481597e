/**
 * Style sheet of the pages, with a light and a dark theme. Eleven phones and the form fit into a window of 1280 by 900
 * pixels. On a narrow screen, the phones are only as high as their notifications.
 */
export const style = `
  :root { color-scheme: light dark; --wall: #dde3ea; --ink: #1d232b; --faint: #4f5966; --card: #fffffff2; --box: #e6eaef }
  @media (prefers-color-scheme: dark) {
    :root { --wall: #15191f; --ink: #e6ebf1; --faint: #a3aebb; --card: #262d36f2; --box: #39424d }
  }
  * { box-sizing: border-box }
  body { font: 14px/1.4 system-ui, sans-serif; margin: 0; background: var(--wall); color: var(--ink) }
  body.stopped::after {
    content: 'The simulators have stopped.'; position: fixed; inset: auto 0 0; padding: .5rem; text-align: center; background: #c22; color: #fff
  }
  h1 { font-size: 1.2rem; margin: 0; white-space: nowrap } h2, h3, p { margin: 0 } a { color: inherit }
  main.one { max-width: 26rem; margin: 2rem auto; padding: 0 1rem }
  main.one article { margin: .6rem 0 }

  main.all { padding: .8rem 1rem 1rem }
  main.all > header { display: flex; align-items: baseline; gap: 1rem; margin-bottom: .8rem; color: var(--faint) }
  main.all > header h1 { color: var(--ink) }
  .phones { display: grid; grid-template-columns: repeat(5, minmax(0, 1fr)); gap: .9rem }
  .phones:has(> .send) { grid-template-columns: repeat(6, minmax(0, 1fr)) }
  @media (max-width: 1000px) { .phones.phones { grid-template-columns: repeat(2, minmax(0, 1fr)) } }
  .phone {
    height: max(20rem, calc((100vh - 5.6rem) / 2)); display: flex; flex-direction: column; overflow: hidden;
    border: 5px solid #0c0e11; border-radius: 1.7rem; background: linear-gradient(var(--maker), color-mix(in srgb, var(--maker) 35%, #0c0e11))
  }
  .phone > header { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0 .6rem; padding: .5rem .9rem .4rem; color: #fff }
  .phone > header h2 { font-size: 1.05rem } .phone > header :is(a, span) { font-size: .78rem }
  .phone > div { flex: 1; overflow-y: auto; padding: 0 .5rem .5rem; scrollbar-width: thin }
  .phone article { margin-bottom: .45rem }
  .phone article:not(:focus-within) :is(h3, p) { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden }
  .phone article:first-child:not(:focus-within) p { -webkit-line-clamp: 5 }
  .phone .nothing { color: #fff; text-align: center; padding-top: 4.5rem }

  .send { display: flex; flex-direction: column; gap: .5rem; padding: .9rem; border: 1px solid var(--faint); border-radius: 1.7rem }
  .send h2 { font-size: 1.05rem } .send label { display: grid; gap: .15rem; color: var(--faint); font-size: .78rem }
  .send :is(input, textarea) { font: inherit; font-size: .9rem; color: var(--ink); background: var(--card); border: 1px solid var(--faint); border-radius: .5rem; padding: .35rem .5rem; resize: vertical; width: 100% }
  .send button { font: inherit; font-weight: 600; padding: .5rem; border: 0; border-radius: .5rem; background: #23456f; color: #fff; cursor: pointer }
  .send button:disabled { cursor: wait }
  :is(a, button, input, textarea, summary):focus-visible { outline: 2px solid #3b82f6; outline-offset: 2px }
  .announcement { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }

  article { position: relative; background: var(--card); border-radius: .9rem; padding: .5rem .7rem .4rem 3.1rem; overflow-wrap: anywhere }
  article.silent { border: 1px dashed var(--faint) }
  article i {
    position: absolute; left: .6rem; top: .6rem; width: 2rem; height: 2rem; border-radius: .55rem; background: #23456f; color: #fff;
    font: 1.2rem/2rem system-ui; text-align: center
  }
  article b {
    position: absolute; right: -.45rem; top: -.4rem; min-width: 1.15rem; padding: 0 .25rem; border-radius: 1rem; background: #c81e1e; color: #fff;
    font: bold .7rem/1.15rem system-ui
  }
  article:focus { outline: 2px solid #3b82f6 }
  article small { display: flex; justify-content: space-between; gap: .6rem; color: var(--faint); font-size: .72rem }
  article small span { white-space: nowrap; overflow: hidden; text-overflow: ellipsis } time { white-space: nowrap }
  h3 { font-size: 1em } article p { white-space: pre-line } article p.large { border-left: 3px solid var(--faint); padding-left: .5rem; margin: .25rem 0 }
  img { display: block; max-width: 100%; max-height: 7rem; border-radius: .5rem; margin: .3rem 0; color: var(--faint); font-size: .72rem }
  summary { color: var(--faint); font-size: .72rem; cursor: pointer; width: max-content }
  article small.token { display: block; white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
  article:focus-within :is(small span, small.token) { white-space: normal }
  code { display: block; font-size: .74rem; background: var(--box); border-radius: .4rem; padding: .3rem .5rem; margin: .2rem 0 }
  @media (max-width: 520px) {
    .phones.phones { grid-template-columns: minmax(0, 1fr); gap: .5rem }
    main.all { padding: .6rem } main.all > header { flex-wrap: wrap; gap: 0 1rem; margin-bottom: .5rem }
    .phone { height: auto; max-height: 15rem; border-width: 3px; border-radius: 1.1rem }
    .phone > header { padding: .3rem .7rem } .phone .nothing { padding: 0 0 .2rem }
    .send { border-radius: 1.1rem; padding: .7rem }
    details:not([open]) + small.token { margin: -1.05rem 0 0 4.7rem; text-align: right }
  }
  @media (prefers-reduced-motion: no-preference) {
    .phone article:first-child { animation: ring .5s } @keyframes ring { from { transform: translateY(-.8rem); opacity: 0 } }
  }
`;
