import type { ShellManifest } from '@daybook/contract/server';

type InitialFiles = ShellManifest['scripts'];

export const componentsPage = (scripts: InitialFiles, styles: InitialFiles): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Components</title>
<link rel="icon" href="data:,">
${styles.map(({ file }) => `<link rel="stylesheet" href="/assets/${file}">`).join('\n')}
<body>
${scripts.map(({ file, integrity }) => `<script src="/assets/${file}" integrity="${integrity}" crossorigin></script>`).join('\n')}
`;
