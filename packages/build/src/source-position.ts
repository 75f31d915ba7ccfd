import { SourceMap } from 'node:module';
import path from 'node:path';

/** Returns the source map of a script that a build made, by the script's name. */
export type SourceMaps = (script: string) => SourceMap | undefined;

/** @param text the content of a `.map` file */
export const parseSourceMap = (text: string) => new SourceMap(JSON.parse(text));

/**
 * Finds the source of an error: the first place in its stack that is code of this repository.
 *
 * @param stack of built code, or any other text with positions such as `127.3f9ac2d10b7e.js:1:2345`
 * @param remote folder of the workspace that was built
 * @returns for example `mf-legal/src/pages/terms.tsx:12:5`; `undefined` if there is none
 */
export function sourcePosition(stack: string, maps: SourceMaps, remote: string): string | undefined {
  for (const [, script = '', line, column] of stack.matchAll(/([\w.-]+\.js):(\d+):(\d+)/g)) {
    const origin = maps(script)?.findOrigin(Number(line), Number(column));
    if (!origin || !('fileName' in origin) || /node_modules/.test(origin.fileName)) continue;
    // Rspack names sources relative to the workspace: `webpack://mf-legal@1.0.0-3f9ac2d10b7e/./src/pages/terms.tsx`.
    const [, file] = /^webpack:\/\/[^/]*\/(\.\.?\/.*?)(?:\?.*)?$/.exec(origin.fileName) ?? [];
    if (file) return `${path.posix.join(remote, file)}:${origin.lineNumber}:${origin.columnNumber}`;
  }
  return undefined;
}
