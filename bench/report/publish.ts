import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeMachine, machineSentence } from './machine.ts';

export interface Report {
  /** Name of the files, without ending. */
  readonly name: string;
  /** What is seen at a glance, in Markdown; the tables. */
  readonly text: string;
  /** What the picture shows, in words. */
  readonly caption: string;
  /** SVG. */
  readonly picture: string;
  /** All that was measured, to be calculated with. */
  readonly data: object;
}

/**
 * Puts a section into a text, between its two marks; at the end where the text has none yet.
 *
 * @param name tells the section from others of the text
 */
export function withSection(text: string, name: string, content: string): string {
  const [begin, end] = [`<!-- results: ${name} -->`, `<!-- end: ${name} -->`];
  const section = `${begin}\n\n${content.trim()}\n\n${end}`;
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to < from) return `${text.trimEnd()}\n\n${section}\n`.trimStart();
  return text.slice(0, from) + section + text.slice(to + end.length);
}

/**
 * Writes `<name>.json` and `<name>.svg`, and the tables with the machine that they are of into a section of a
 * document in the same folder; what people wrote around it stays.
 *
 * @param document file name of the document, made where it is missing
 */
export function publish(folder: string, document: string, { name, text, caption, picture, data }: Report): void {
  const machine = describeMachine();
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${name}.json`), `${JSON.stringify({ machine, ...data }, undefined, 2)}\n`);
  writeFileSync(path.join(folder, `${name}.svg`), picture);
  const place = path.join(folder, document);
  const before = existsSync(place) ? readFileSync(place, 'utf8') : '';
  const content = `${machineSentence(machine)}\n\n${text}\n\n![${caption}](${name}.svg)`;
  writeFileSync(place, withSection(before, name, content));
}
