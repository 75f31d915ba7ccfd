/** What the shell server and the shell in the browser exchange through a page. */
export * from './fragment-settings.ts';
export * from './page.ts';
export * from './page-report.ts';
