// Compressed size of the built files.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Check } from './check.ts';

const KB = 1_000;
const ENTRY_KB_MAX = 200;
const CHART_KB_MAX = 65;
const CSS_KB_MAX = 15;
const FONT_KB_MAX = 60;

export const weight: Check = {
  name: 'weight',
  from: 'smoke',
  lane: 'views',
  async run({ files: folder }) {
    const html = readFileSync(join(folder, 'index.html'), 'utf8');
    const linked = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file]) => file);
    const zippedKb = (file: string) =>
      gzipSync(readFileSync(join(folder, file)), { level: 9 }).length / KB;
    const sumKb = (files: readonly string[]) =>
      Number(files.reduce((sum, file) => sum + zippedKb(file), 0).toFixed(1));
    const entry = linked.filter((file) => file.endsWith('.js'));
    const assets = readdirSync(join(folder, 'assets')).map((name) => `/assets/${name}`);
    const chart = assets.filter((file) => /\/price-chart-[^/]*\.js$/.test(file));
    const css = linked.filter((file) => file.endsWith('.css'));
    const figures = {
      terminalEntryKb: sumKb(entry),
      chartKb: sumKb(chart),
      cssKb: sumKb(css),
      latinFontKb: sumKb(assets.filter((file) => /inter-latin-wght/.test(file))),
      arabicFontKb: sumKb(assets.filter((file) => /vazirmatn-arabic-wght/.test(file))),
    };
    assert.ok(entry.length > 0, 'the index page loads no script');
    assert.ok(figures.terminalEntryKb <= ENTRY_KB_MAX, `entry: ${figures.terminalEntryKb} kB`);
    assert.ok(figures.chartKb <= CHART_KB_MAX, `chart: ${figures.chartKb} kB`);
    assert.ok(figures.cssKb <= CSS_KB_MAX, `css: ${figures.cssKb} kB`);
    assert.ok(figures.latinFontKb <= FONT_KB_MAX, `Latin font: ${figures.latinFontKb} kB`);
    assert.ok(figures.arabicFontKb <= FONT_KB_MAX, `Arabic font: ${figures.arabicFontKb} kB`);
    return figures;
  },
};
