import type { RemoteDefinition } from '@daybook/platform/define-remote';
import type { FileTexts } from './remote-lists.ts';

/** What a command will write; computed completely before the first file is written. */
export interface Plan {
  readonly remote: string;
  /** Path of the new page. */
  readonly page: string;
  readonly created: FileTexts;
  readonly changed: FileTexts;
  /** What is left to do, in order; the usual steps by default. */
  readonly next?: readonly string[];
}

/** Definitions of all remotes, by name. */
export type Definitions = ReadonlyMap<string, RemoteDefinition>;
