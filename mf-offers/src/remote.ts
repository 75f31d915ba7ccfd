import { defineRemote } from '@daybook/platform/define-remote';

export default defineRemote({
  name: 'mf-offers',
  routes: [
    {
      path: '/continue-registration',
      title: 'Your bonus offers',
      description: 'Bonus offers from Daybook’s sponsors for new readers: pick any that help you, or none.',
      frame: 'site',
      noIndex: true,
      page: () => import('./pages/continue-registration-page.tsx'),
    },
    {
      path: '/thank-you',
      title: 'You’re subscribed',
      description: 'Your subscription to the Daybook newsletter, and what happens next.',
      frame: 'site',
      noIndex: true,
      page: () => import('./pages/thank-you-page.tsx'),
    },
  ],
});
