// Depth chart: running totals of both sides of the book. Coordinates are numbers. Loaded on first
// use.

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Level } from './book-view.ts';
import type { ChartColours } from './chart-styles.ts';
import { depthPoints } from './depth-points.ts';

export class DepthChart {
  readonly #plot: uPlot;

  constructor(
    container: HTMLElement,
    { colours, names }: { colours: ChartColours; names: { bids: string; asks: string } },
  ) {
    const { down, line, quiet, up } = colours;
    const axis = {
      stroke: quiet,
      grid: { stroke: line, width: 1 },
      ticks: { show: false },
      font: "11px 'Inter Variable', sans-serif",
    };
    const side = (label: string, color: string, align: 1 | -1) => ({
      label,
      stroke: color,
      fill: `${color}33`,
      width: 1.5,
      paths: uPlot.paths.stepped!({ align }),
      points: { show: false },
    });
    this.#plot = new uPlot(
      {
        width: container.clientWidth,
        height: container.clientHeight,
        legend: { show: false },
        padding: [8, 0, 0, 0],
        scales: { x: { time: false } },
        axes: [axis, { ...axis, side: 1, size: 64 }],
        cursor: { points: { show: false } },
        series: [{}, side(names.bids, up, -1), side(names.asks, down, 1)],
      },
      [[], [], []],
      container,
    );
  }

  draw(book: { bids: readonly Level[]; asks: readonly Level[] }): void {
    const { asks, bids, prices } = depthPoints(book);
    this.#plot.setData([prices, bids, asks]);
  }

  resize(width: number, height: number): void {
    this.#plot.setSize({ width, height });
  }

  dispose(): void {
    this.#plot.destroy();
  }
}
