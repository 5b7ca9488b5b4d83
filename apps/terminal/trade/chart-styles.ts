// Style of the price chart, from the page's tokens.

import type { DeepPartial, Styles } from 'klinecharts';

export interface ChartColours {
  readonly up: string;
  readonly down: string;
  readonly panel: string;
  readonly raised: string;
  readonly line: string;
  readonly text: string;
  readonly quiet: string;
  readonly accent: string;
  readonly warn: string;
}

const FAMILY = "'Inter Variable', 'Vazirmatn Variable', system-ui, sans-serif";

export function readColours(): ChartColours {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const isRedUp = document.documentElement.dataset.up === 'red';
  return {
    up: token(isRedUp ? 'pair-down' : 'pair-up'),
    down: token(isRedUp ? 'pair-up' : 'pair-down'),
    panel: token('panel'),
    raised: token('raised'),
    line: token('line'),
    text: token('text'),
    quiet: token('quiet'),
    accent: token('accent'),
    warn: token('warn'),
  };
}

export function chartStyles(colours: ChartColours): DeepPartial<Styles> {
  const { accent, down, line, panel, quiet, raised, text, up, warn } = colours;
  const change = { upColor: up, downColor: down, noChangeColor: quiet };
  const tag = { color: text, backgroundColor: raised, borderColor: line, family: FAMILY, size: 11 };
  const axis = {
    axisLine: { color: line },
    tickLine: { show: false },
    tickText: { color: quiet, family: FAMILY, size: 11 },
  };
  const cross = { line: { color: quiet }, text: tag };
  // On a small screen, a fixed legend would cover the candles, so it follows the pointer.
  const isSmall = innerWidth < 768 || innerHeight < 800;
  const showRule = isSmall ? 'follow_cross' : 'always';
  return {
    grid: {
      horizontal: { color: line, size: 1, style: 'solid' },
      vertical: { show: false },
    },
    candle: {
      bar: {
        ...change,
        upBorderColor: up,
        downBorderColor: down,
        noChangeBorderColor: quiet,
        upWickColor: up,
        downWickColor: down,
        noChangeWickColor: quiet,
      },
      priceMark: {
        high: { color: quiet, textFamily: FAMILY },
        low: { color: quiet, textFamily: FAMILY },
        last: { ...change, text: { color: panel, family: FAMILY, size: 11 } },
      },
      tooltip: {
        showRule,
        title: { show: false },
        legend: { color: quiet, family: FAMILY, size: 11 },
      },
    },
    indicator: {
      bars: [{ upColor: `${up}80`, downColor: `${down}80`, noChangeColor: quiet }],
      lines: [accent, warn, up, down, quiet].map((color) => ({ color })),
      tooltip: {
        showRule,
        title: { color: quiet, family: FAMILY, size: 11 },
        legend: { color: quiet, family: FAMILY, size: 11 },
      },
      lastValueMark: { show: false },
    },
    xAxis: axis,
    yAxis: axis,
    separator: { color: line },
    crosshair: { horizontal: cross, vertical: cross },
    overlay: {
      line: { color: accent },
      point: { color: accent, borderColor: `${accent}40` },
      text: { color: panel, backgroundColor: accent, family: FAMILY },
      rect: { color: `${accent}30`, borderColor: accent },
      polygon: { color: `${accent}30`, borderColor: accent },
      circle: { color: `${accent}30`, borderColor: accent },
    },
  };
}
