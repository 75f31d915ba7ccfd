// What the build makes of a guide: see guide/guide-loader.ts.
declare module '*-guide.md' {
  const guide: import('./ebook-download/guide-cover.tsx').GuideFile;
  export default guide;
}
