import { parse } from 'yaml';

interface Panel {
  readonly title: string;
  readonly description?: string;
  /** Of Grafana: s, bytes, percentunit or reqps; without it, plain numbers. */
  readonly unit?: string;
  /** Queries of Prometheus by their legend. */
  readonly queries?: Readonly<Record<string, string>>;
  /** SQL of a time series in place of them, for the role reports. */
  readonly sql?: string;
  /** The time that is shown instead of the dashboard's, such as 30d. */
  readonly timeFrom?: string;
}

/** Form of deploy/monitoring/dashboard.yml. */
interface Dashboard {
  readonly marks: readonly { readonly name: string; color: string; text: string; query: string }[];
  readonly rows: readonly { readonly title: string; numbers?: readonly Panel[]; charts: readonly Panel[] }[];
}

const prometheus = { type: 'prometheus', uid: 'prometheus' };
const reports = { type: 'grafana-postgresql-datasource', uid: 'reports' };

const kinds = {
  numbers: {
    type: 'stat',
    height: 5,
    options: {
      reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
      colorMode: 'value',
      graphMode: 'area',
    },
  },
  charts: {
    type: 'timeseries',
    height: 8,
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
  },
} as const;

/** Lays out panels side by side, over the 24 columns of the grid, below `y`. */
function layOut(kind: keyof typeof kinds, panels: readonly Panel[], y: number): readonly object[] {
  const { type, height, options } = kinds[kind];
  return panels.map(({ title, description, unit = 'short', queries = {}, sql, timeFrom }, index) => {
    const [x, end] = [index, index + 1].map((each) => Math.round((24 * each) / panels.length)) as [number, number];
    return {
      type,
      title,
      description,
      datasource: sql ? reports : prometheus,
      timeFrom,
      gridPos: { h: height, w: end - x, x, y },
      fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
      targets: sql
        ? [{ refId: 'A', format: 'time_series', editorMode: 'code', rawQuery: true, rawSql: sql }]
        : Object.entries(queries).map(([legendFormat, expr], query) => ({
            refId: String.fromCharCode(65 + query),
            expr,
            legendFormat,
          })),
      options,
    };
  });
}

/**
 * Returns Grafana's dashboard as JSON, with a line for each panel.
 *
 * @param source text of deploy/monitoring/dashboard.yml
 */
export function renderDashboard(source: string): string {
  const { marks, rows }: Dashboard = parse(source);
  const panels: object[] = [];
  let y = 0;
  for (const { title, ...row } of rows) {
    panels.push({ type: 'row', title, collapsed: false, gridPos: { h: 1, w: 24, x: 0, y }, panels: [] });
    y += 1;
    for (const kind of ['numbers', 'charts'] as const) {
      const shown = row[kind];
      if (!shown) continue;
      panels.push(...layOut(kind, shown, y));
      y += kinds[kind].height;
    }
  }
  const annotations = marks.map(({ name, color, text, query }) => ({
    name,
    datasource: prometheus,
    enable: true,
    iconColor: color,
    target: { refId: 'Anno', expr: query },
    titleFormat: name,
    textFormat: text,
  }));
  const settings = {
    uid: 'daybook',
    title: 'Daybook',
    tags: ['daybook'],
    timezone: 'browser',
    schemaVersion: 41,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [] },
    annotations: { list: annotations },
  };
  const lines = panels.map((panel, index) => JSON.stringify({ id: index + 1, ...panel }));
  return `${JSON.stringify(settings).slice(0, -1)},"panels":[\n${lines.join(',\n')}\n]}\n`;
}
