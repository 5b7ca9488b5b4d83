// Builds an app into its `dist`: files without any inline script or style, for a content security
// policy without hashes. `vite build apps/console` names the app; by default it is the terminal.
// The development server forwards calls to an exchange.

import { fileURLToPath } from 'node:url';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The REST port of `npm run dev`; the stream listens on the next port. */
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

/** The exchange accepts cookies only from its own origin, so the forwarded origin is its own. */
function proxy() {
  const headers = { origin: exchange };
  return {
    '/v2': { target: exchange, headers },
    '/stream': { target: `ws://127.0.0.1:${PORT + 1}`, ws: true, headers },
  };
}
