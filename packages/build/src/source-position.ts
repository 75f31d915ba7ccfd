import { SourceMap } from 'node:module';
import path from 'node:path';

export type SourceMaps = (script: string) => SourceMap | undefined;

export const parseSourceMap = (text: string) => new SourceMap(JSON.parse(text));

/** Returns the first place in a stack that is code of this repository, such as `mf-legal/src/pages/terms.tsx:12:5`. */
export function sourcePosition(stack: string, maps: SourceMaps, remote: string): string | undefined {
  for (const [, script = '', line, column] of stack.matchAll(/([\w.-]+\.js):(\d+):(\d+)/g)) {
    const origin = maps(script)?.findOrigin(Number(line), Number(column));
    if (!origin || !('fileName' in origin) || /node_modules/.test(origin.fileName)) continue;
    // Named relative to the workspace: `webpack://mf-legal@1.0.0-3f9ac2d10b7e/./src/pages/terms.tsx`.
    const [, file] = /^webpack:\/\/[^/]*\/(\.\.?\/.*?)(?:\?.*)?$/.exec(origin.fileName) ?? [];
    if (file) return `${path.posix.join(remote, file)}:${origin.lineNumber}:${origin.columnNumber}`;
  }
  return undefined;
}
