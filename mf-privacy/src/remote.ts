import { defineRemote } from '@daybook/platform/define-remote';

export default defineRemote({
  name: 'mf-privacy',
  routes: [
    {
      path: '/unsubscribe',
      title: 'Unsubscribe',
      description: 'Stop receiving the Daybook newsletter. Enter your email address; no account and no reason needed.',
      frame: 'privacy',
      page: () => import('./pages/unsubscribe-page.tsx'),
    },
  ],
});
