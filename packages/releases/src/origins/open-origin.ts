import { FolderOrigin } from './folder-origin.ts';
import { HttpOrigin } from './http-origin.ts';
import type { ReleaseOrigin } from './origin.ts';

/** @param address `file:<folder>`, or an http(s) address */
export function openOrigin(address: string): ReleaseOrigin {
  return address.startsWith('file:') ? new FolderOrigin(address.slice('file:'.length)) : new HttpOrigin(address);
}
