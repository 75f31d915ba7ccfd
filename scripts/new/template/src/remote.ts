import { defineRemote } from '@daybook/platform/define-remote';

export default defineRemote({
  routes: [
    {
      path: '/template',
      title: 'Template',
      description: 'Template: write here in a sentence what readers find on this page. Search engines show it.',
      frame: 'site',
      page: './pages/template-page.tsx',
    },
  ],
});
