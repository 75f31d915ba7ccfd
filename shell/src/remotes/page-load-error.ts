import type { PageReport } from '@daybook/contract';

/** A remote's page could not be loaded, from any release that it could have come from. */
export class PageLoadError extends Error {
  override readonly name = 'PageLoadError';
  /** The release that the page should have come from. */
  readonly version: string;

  constructor({ remote, version, route }: Omit<PageReport, 'kind'>, cause: unknown) {
    super(`${route} of ${remote}@${version} could not be loaded.`, { cause });
    this.version = version;
  }
}
