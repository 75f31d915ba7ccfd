/** The site in one of its forms, served at an address. */
export interface Variant {
  /** Its name in tables. */
  readonly name: string;
  readonly address: string;
  /** Whether React takes its pages over. */
  readonly hydrates: boolean;
}

/** The forms of the site that are compared. */
export const variantNames = {
  site: 'site',
  staticPages: 'static HTML',
  singleBundle: 'single bundle',
  stockFederation: 'stock federation',
} as const;
