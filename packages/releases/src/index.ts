export { ReleasesClient, SiteError } from './client.ts';
export { failureText, isVisible, publishedLines } from './print.ts';
export { checkManifest, checkTexts, type ReleaseBuild, readBuild, templateTexts } from './read-build.ts';
export { readToken } from './token.ts';
