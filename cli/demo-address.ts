/**
 * Returns the next step if this text begins with the address of the demo, which `.dev.env` also exports as
 * `CARILLON_DEV_URL`. The variables stay in a shell after the demo has stopped.
 */
export function adviceForDemo(text: string): string | undefined {
  const url = process.env.CARILLON_DEV_URL;
  if (!url || !text.startsWith(url)) return undefined;
  return 'The demo of .dev.env does not respond. Start it with `npm run dev`, and then run `source .dev.env` again.';
}
