import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { type Connect, defineConfig, type Plugin, type UserConfig } from 'vite';
import { bundledPackages } from './server/setup/notices/bundledPackages.mjs';
import { scriptGroups } from './server/setup/scriptGroups.mjs';

const root = import.meta.dirname;
const pages = join(root, 'pages');
const entries = ['shell', 'live', 'playback', 'remote'] as const;
const documents = Object.fromEntries(entries.map((entry) => [entry, join(pages, entry, 'index.html')]));
const packages = bundledPackages('pages');
const videoPages = Object.values(documents).filter((path) => path !== documents.shell);

/** Paths that the gateway answers in development too, so that pages meet the real one. */
const gatewayPaths = ['/api', '/stream', '/locales', '/healthz', '/readyz'];

/** What the four entries and the inner pages, which are built apart, have in common. */
export const common = {
  plugins: [react()],
  build: {
    emptyOutDir: true,
    // The content security policy allows files of this site only, so nothing is turned into a data: address.
    assetsInlineLimit: 0,
    // Every browser that has WebCodecs has module preload; the size report is the pages' own test.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
} satisfies UserConfig;

export default defineConfig({
  ...common,
  root: pages,
  publicDir: join(root, 'public'),
  appType: 'mpa',
  plugins: [...common.plugins, entryAddresses(), packages],
  build: {
    ...common.build,
    outDir: join(root, 'dist/web'),
    rolldownOptions: {
      input: documents,
      // The shell has hardly anything in common with what it frames.
      output: { codeSplitting: scriptGroups(Object.values(documents), videoPages) },
    },
  },
  worker: {
    format: 'es',
    plugins: () => [packages],
    rolldownOptions: {
      // Workers are static files whose addresses outlive a version: the gateway has them revalidated instead.
      output: { entryFileNames: 'workers/[name].js', chunkFileNames: 'workers/[name]-[hash].js' },
    },
  },
  server: {
    // The entries lie below `pages`, what they import beside it.
    fs: { allow: [root] },
    proxy: Object.fromEntries(
      gatewayPaths.map((path) => [path, { target: gatewayAddress(), ws: path === '/stream' || path === '/api' }]),
    ),
  },
});

/** Where the gateway listens that `npm run dev` starts, or the one that is named. */
function gatewayAddress(): string {
  return process.env.GATEWAY_ADDRESS ?? `http://127.0.0.1:${process.env.PORT ?? 8080}`;
}

/** In development, answers the addresses that people see (`/live/...`, `/`) with the entry's page, as the gateway does. */
function entryAddresses(): Plugin {
  return {
    name: 'entry-addresses',
    apply: 'serve',
    configureServer(server) {
      server.middlewares.use(toEntry);
    },
  };
}

function toEntry(request: Connect.IncomingMessage, _response: unknown, next: Connect.NextFunction): void {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname;
  // Only a navigation asks for HTML by name; scripts, styles and calls pass.
  const isNavigation = request.method === 'GET' && request.headers.accept?.includes('text/html') === true;
  const entry = isNavigation ? entryOf(path) : undefined;
  if (entry !== undefined) request.url = `/${entry}/index.html`;
  next();
}

/** The entry that answers a path; none for what the gateway answers and for inner pages, which are files. */
export function entryOf(path: string): (typeof entries)[number] | undefined {
  const first = path.split('/')[1];
  if (first === 'innerpage' || gatewayPaths.includes(`/${first}`)) return undefined;
  return entries.find((entry) => entry === first) ?? 'shell';
}
