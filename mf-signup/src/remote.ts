import { defineRemote } from '@daybook/platform/define-remote';

export default defineRemote({
  name: 'mf-signup',
  routes: [
    {
      path: '/',
      title: 'The free daily finance newsletter',
      description:
        'The day in money, written up before breakfast: markets, savings, investing, retirement and the news, in one free five-minute email each morning.',
      frame: 'site',
      page: () => import('./home/home-page.tsx'),
    },
  ],
});
