// The parts of the contract by name, for builds and servers: what a release needs, and what a site has.
import * as z from 'zod';
import { type ApiCall, apiCalls } from './api/index.ts';
import { defaultSiteSettings, offerIds } from './site.ts';

/** What JSON Schema states of a value that is no part of its form: allowed values are parts of their own. */
const notOfForm = new Set(['enum', 'maxItems', 'description', '$schema']);

/** Returns the form of a schema, and all values that it allows by name. */
function formOf(schema: z.core.$ZodType | undefined): { readonly form: string; readonly values: readonly string[] } {
  if (!schema) return { form: '', values: [] };
  const values: string[] = [];
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const form = JSON.stringify(json, (key, value) => {
    if (key === 'enum' && Array.isArray(value)) values.push(...value.map(String));
    return notOfForm.has(key) ? undefined : value;
  });
  return { form, values };
}

/** Returns 8 hex digits that differ for another text (FNV-1a): against slips, not against attackers. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const unit of text) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/** Returns the parts of a call: its form with a hash, and each value that a list of its body allows. */
function partsOfCall(name: string, { method, path, parameters, query, body, success }: ApiCall): readonly string[] {
  const { form, values } = formOf(body);
  const schemas = [parameters && z.object(parameters), query && z.object(query), success.body].map(formOf);
  const whole = JSON.stringify([method, path, form, ...schemas.map((each) => each.form)]);
  return [`call ${name} ${hashOf(whole)}`, ...[...new Set(values)].map((value) => `value ${value} of ${name}`)];
}

const calls = Object.entries<ApiCall>(apiCalls).map(([name, call]) => ({
  name,
  path: call.path,
  parts: partsOfCall(name, call),
}));

const settings = [...Object.keys(defaultSiteSettings), 'year'];

/** What the API has of the contract that this program was built with, by name. */
export const apiParts: readonly string[] = calls.flatMap(({ parts }) => parts);

/** What the shell has of it. */
export const shellParts: readonly string[] = [
  ...offerIds.map((id) => `offer ${id}`),
  ...settings.map((name) => `setting ${name}`),
];

const hasWord = (text: string, word: string) => new RegExp(`\\b${word}\\b`).test(text);

/**
 * Returns the parts of the contract that sources use: calls by their name beside the contract's list or by their path,
 * settings by their name beside `useSiteSettings`, and offers. Rather one too many: all are checked against what the site
 * has, and a part that is found in a comment is there as well.
 *
 * @param sources texts of the modules of a remote
 */
export function usedParts(sources: readonly string[]): readonly string[] {
  const used = sources.flatMap((text) => {
    const callsUsed = calls.filter(
      ({ name, path }) => (/Calls\b/.test(text) && hasWord(text, name)) || text.includes(`'${path}'`),
    );
    const settingsUsed = /\b(?:useSiteSettings|SiteSettings)\b/.test(text)
      ? settings.filter((name) => hasWord(text, name))
      : [];
    const offersUsed = offerIds.filter((id) => hasWord(text, 'offerIds') || hasWord(text, `sponsorAddresses\\.${id}`));
    return [
      ...callsUsed.flatMap(({ parts }) => parts),
      ...settingsUsed.map((name) => `setting ${name}`),
      ...offersUsed.map((id) => `offer ${id}`),
    ];
  });
  return [...new Set(used)].sort();
}

/**
 * Describes what a release needs and a part of the site does not have.
 *
 * @param needs what the release uses
 * @param has what that part of the site has
 * @param kinds first words of what is asked of that part
 * @returns `undefined` if it has all
 */
function missingIn(needs: readonly string[], has: readonly string[], kinds: RegExp): string | undefined {
  const missing = needs.filter((part) => kinds.test(part) && !has.includes(part));
  if (missing.length === 0) return undefined;
  const describe = (part: string) => {
    const [, kind, name = ''] = /^(\w+) (.*?)(?: [0-9a-f]{8})?$/.exec(part) ?? [];
    const isOther = kind === 'call' && has.some((each) => each.startsWith(`call ${name} `));
    return isOther ? `${kind} ${name} in another form` : `${kind} ${name}`;
  };
  return missing.map(describe).join(', ');
}

/** Returns what the shell lacks for a release, for people; `undefined` if nothing. */
export const missingInShell = (needs: readonly string[], has: readonly string[] = shellParts) =>
  missingIn(needs, has, /^(?:offer|setting) /);

/** Returns what the API lacks for a release, for people; `undefined` if nothing. */
export const missingInApi = (needs: readonly string[], has: readonly string[]) =>
  missingIn(needs, has, /^(?:call|value) /);
