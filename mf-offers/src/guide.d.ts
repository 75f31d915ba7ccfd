// What the build makes of a guide: see guide/guide-loader.ts.
declare module '*-guide.md' {
  const guide: import('./guide-download/guide-file.ts').GuideFile;
  export default guide;
}
