import type { PageReport } from '@daybook/contract/page';

/** Thrown when a remote's page could not be loaded from any available release. */
export class PageLoadError extends Error {
  override readonly name = 'PageLoadError';
  /** The release that failed. */
  readonly version: string;

  constructor({ remote, version, route }: Omit<PageReport, 'kind'>, cause: unknown) {
    super(`${route} of ${remote}@${version} could not be loaded.`, { cause });
    this.version = version;
  }
}
