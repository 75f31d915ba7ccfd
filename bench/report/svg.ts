/** Colours of the series, told apart by everybody, on white and on black. */
export const seriesColours = ['#2f6fde', '#c2641a', '#7a7f87', '#2c8f5a'] as const;

export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

interface TextOptions {
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly kind?: 'title' | 'label' | 'quiet';
}

/** A word at a place. */
export const text = (x: number, y: number, words: string, { anchor = 'start', kind = 'label' }: TextOptions = {}) =>
  `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" class="${kind}">${escapeText(words)}</text>`;

export const line = (from: readonly [number, number], to: readonly [number, number], kind: 'axis' | 'aim' | 'range') =>
  `<line x1="${round(from[0])}" y1="${round(from[1])}" x2="${round(to[0])}" y2="${round(to[1])}" class="${kind}"/>`;

/** Short numbers: a picture has no use for more. */
export const round = (value: number): number => Math.round(value * 10) / 10;

/** A whole picture, which reads on light and dark pages; `description` is for who does not see it. */
export function svg(width: number, height: number, description: string, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeText(description)}">
<style>
  svg { background: #fff; font: 13px system-ui, sans-serif }
  text { fill: #1f2328 }
  .title { font-weight: 600 }
  .quiet { fill: #656d76 }
  .axis { stroke: #8c959f }
  .aim { stroke: #2c8f5a; stroke-dasharray: 4 3 }
  .range { stroke: #1f2328 }
  @media (prefers-color-scheme: dark) {
    svg { background: #0d1117 }
    text { fill: #e6edf3 }
    .quiet { fill: #8d96a0 }
    .range { stroke: #e6edf3 }
  }
</style>
${parts.join('\n')}
</svg>
`;
}
