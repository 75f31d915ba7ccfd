import { defineRemote } from '@daybook/platform/define-remote';

export default defineRemote({
  name: 'mf-legal',
  routes: [
    {
      path: '/terms',
      title: 'Terms of Service',
      description:
        'The terms on which Daybook offers its free daily finance newsletter, this website and the sponsored offers on it.',
      frame: 'site',
      page: () => import('./pages/terms-page.tsx'),
    },
  ],
});
