import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import uPlot from 'uplot';
import type { DayCounts } from './daily-counts.ts';

const HEIGHT = 240;
const HALF_DAY_SECONDS = 12 * 60 * 60;
/** A bar takes this part of its day, and at most this number of pixels. */
const BAR_SIZE = [0.7, 48] as const;

/** Distances between the lines of the grid. Devices are counted in whole numbers. */
const wholeSteps = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

/** Bars of sent notifications by day, with the received ones inside. The page also shows the numbers as a table. */
export function DailyChart({ counts }: { readonly counts: readonly DayCounts[] }) {
  const { t, i18n } = useTranslation();
  const scheme = useComputedColorScheme();
  const { ref: sizeRef, width } = useElementSize();
  const target = useRef<HTMLDivElement>(null);
  const labels = [t('history.day'), t('tasks.sent'), t('tasks.received')].join('\n');
  // The colors of the theme are read once, so another theme or language needs another chart.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the color scheme changes the colors of the page
  useEffect(() => {
    const element = target.current;
    if (!element || width === 0) return;
    const chart = new uPlot(optionsFor(element, width, i18n.language, labels.split('\n')), dataOf(counts), element);
    return () => chart.destroy();
  }, [width, scheme, i18n.language, labels, counts]);
  return (
    <div ref={sizeRef}>
      <div ref={target} role="img" aria-label={t('history.chart')} />
    </div>
  );
}

const dataOf = (counts: readonly DayCounts[]): uPlot.AlignedData => [
  counts.map(({ day }) => Date.parse(day) / 1000),
  counts.map(({ sent }) => Number(sent)),
  counts.map(({ received }) => Number(received)),
];

const totalOf = (chart: uPlot, index: number): number =>
  [...(chart.data[index] ?? [])].reduce<number>((sum, value) => sum + (value ?? 0), 0);

function optionsFor(element: Element, width: number, language: string, labels: readonly string[]): uPlot.Options {
  const style = getComputedStyle(element);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const shortDay = new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric', timeZone: 'UTC' });
  const compact = new Intl.NumberFormat(language, { notation: 'compact' });
  const full = new Intl.NumberFormat(language);
  const rangeOf = ({ data: [days] }: uPlot) => shortDay.formatRange((days[0] ?? 0) * 1000, (days.at(-1) ?? 0) * 1000);
  const axis = {
    stroke: color('--mantine-color-dimmed'),
    grid: { stroke: color('--console-grid'), width: 1 },
    ticks: { show: false },
    font: `12px ${style.fontFamily}`,
  };
  const bars = uPlot.paths.bars?.({ size: [...BAR_SIZE], radius: 0.1 });
  const series = (label: string | undefined, variable: string): uPlot.Series => ({
    label: label ?? '',
    stroke: color(variable),
    fill: color(variable),
    ...(bars && { paths: bars }),
    points: { show: false },
    // Without a pointer on a day, the legend has the totals.
    value: (chart, value: number | null, index) => full.format(value ?? totalOf(chart, index)),
  });
  return {
    width,
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    scales: {
      x: { range: (_chart, min, max) => [min - HALF_DAY_SECONDS, max + HALF_DAY_SECONDS] },
      y: { range: (_chart, _min, max) => [0, Math.max(max * 1.1, 1)] },
    },
    cursor: { drag: { x: false, y: false }, y: false, points: { show: false } },
    axes: [
      { ...axis, grid: { show: false }, values: (_chart, days) => days.map((day) => shortDay.format(day * 1000)) },
      {
        ...axis,
        size: 56,
        incrs: wholeSteps,
        values: (_chart, values) => values.map((value) => compact.format(value)),
      },
    ],
    series: [
      {
        label: labels[0] ?? '',
        value: (chart, day: number | null) => (day === null ? rangeOf(chart) : shortDay.format(day * 1000)),
      },
      series(labels[1], '--console-sent'),
      series(labels[2], '--console-received'),
    ],
  };
}
