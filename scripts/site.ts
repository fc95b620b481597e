import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build, serve } from 'vitepress';

// `npm run site` builds the documentation as a website. `npm run site -- --serve` also serves it.

const HELP = `Usage: npm run site [-- --serve] [--port PORT]

Builds the documentation as a website in docs/.vitepress/dist.

  --serve      serve the site on this machine until Ctrl-C
  --port PORT  port of the server (default 4173)
`;

const { values } = parseArgs({
  options: {
    serve: { type: 'boolean', default: false },
    port: { type: 'string', default: '4173' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(HELP);
} else {
  await build('docs');
  const directory = fileURLToPath(new URL('../docs/.vitepress/dist', import.meta.url));
  console.log(`\nThe site is in ${directory}. Any web server can serve this folder.`);
  if (values.serve) await serve({ root: 'docs', port: Number(values.port) });
  else console.log('To open it in a browser, run `npm run site -- --serve`.');
}
