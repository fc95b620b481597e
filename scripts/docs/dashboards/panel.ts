/** One query of a panel and the legend of its line. */
export interface Target {
  readonly expr: string;
  readonly legend: string;
}

export interface Panel {
  readonly title: string;
  /** Meaning of the panel and how to interpret it. */
  readonly description: string;
  readonly type?: 'timeseries' | 'stat';
  /** A unit name of Grafana: reqps, s, short, bytes, percentunit. */
  readonly unit: string;
  /** Width in columns. A row has 24. */
  readonly width?: number;
  readonly targets: readonly Target[];
}

export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

export interface Dashboard {
  /** Part of the dashboard's URL. */
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  readonly rows: readonly Row[];
}

const COLUMNS = 24;
const HEIGHT = 8;

/** Returns a dashboard in the JSON format of Grafana. The data source is selected in the dashboard. */
export function dashboardFile({ uid, title, description, rows }: Dashboard): string {
  const panels: object[] = [];
  let y = 0;
  let id = 1;
  for (const row of rows) {
    panels.push({ id: id++, type: 'row', title: row.title, gridPos: { h: 1, w: COLUMNS, x: 0, y: y++ }, panels: [] });
    let x = 0;
    for (const panel of row.panels) {
      const w = panel.width ?? COLUMNS / row.panels.length;
      if (x + w > COLUMNS) {
        x = 0;
        y += HEIGHT;
      }
      panels.push(panelOf(panel, id++, { h: HEIGHT, w, x, y }));
      x += w;
    }
    y += HEIGHT;
  }
  const dashboard = {
    uid,
    title,
    description,
    tags: ['carillon'],
    schemaVersion: 39,
    editable: false,
    graphTooltip: 1,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: { list: [SOURCE, JOB] },
    panels,
  };
  return `${JSON.stringify(dashboard, undefined, 2)}\n`;
}

const DATASOURCE = { type: 'prometheus', uid: '$source' };

const SOURCE = { name: 'source', label: 'Data source', type: 'datasource', query: 'prometheus' };

/** Selects all jobs by default. Several installations can share one Prometheus. */
const JOB = {
  name: 'job',
  label: 'Job',
  type: 'query',
  datasource: DATASOURCE,
  query: { query: 'label_values(carillon_role, job)', refId: 'job' },
  includeAll: true,
  multi: true,
  allValue: '.*',
  current: { text: 'All', value: '$__all' },
  refresh: 2,
};

function panelOf(
  { title, description, type = 'timeseries', unit, targets }: Panel,
  id: number,
  gridPos: object,
): object {
  return {
    id,
    type,
    title,
    description,
    datasource: DATASOURCE,
    gridPos,
    fieldConfig: { defaults: { unit, min: 0, custom: { fillOpacity: 10, showPoints: 'never' } }, overrides: [] },
    options: {
      tooltip: { mode: 'multi', sort: 'desc' },
      legend: { displayMode: 'table', placement: 'bottom', calcs: ['lastNotNull', 'max'] },
    },
    targets: targets.map(({ expr, legend }, i) => ({
      refId: String.fromCharCode(65 + i),
      datasource: DATASOURCE,
      expr,
      legendFormat: legend,
    })),
  };
}
