// Builds an app into its `dist`, without inline scripts or styles, for a content security policy
// without hashes. `vite build apps/console` names the app; the default is the terminal. The
// development server proxies calls to an exchange.

import { fileURLToPath } from 'node:url';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** REST port of `npm run dev`; the stream listens on the next port. */
const PORT = Number(process.env.RIALTO_DEV_PORT ?? 4000);
const exchange = `http://127.0.0.1:${PORT}`;

export default defineConfig({
  root: fileURLToPath(new URL('./terminal', import.meta.url)),
  publicDir: fileURLToPath(new URL('./ui/public', import.meta.url)),
  plugins: [react(), tailwind()],
  build: {
    target: 'es2024',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    emptyOutDir: true,
  },
  server: { proxy: proxy() },
  preview: { proxy: proxy() },
});

/** The exchange accepts cookies only from its own origin, so the proxy sets that origin. */
function proxy() {
  const headers = { origin: exchange };
  return {
    '/v2': { target: exchange, headers },
    '/stream': { target: `ws://127.0.0.1:${PORT + 1}`, ws: true, headers },
  };
}
