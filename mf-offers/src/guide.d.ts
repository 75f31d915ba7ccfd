// Created by the build from a guide: see guide/guide-loader.ts.
declare module '*-guide.md' {
  const guide: import('./ebook-download/guide-cover.tsx').GuideFile;
  export default guide;
}
