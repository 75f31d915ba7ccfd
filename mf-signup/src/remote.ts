import { defineRemote } from '@daybook/platform/define-remote';

export default defineRemote({
  routes: [
    {
      path: '/',
      title: 'The free daily finance newsletter',
      description:
        'The day in money, written up before breakfast: markets, savings, investing, retirement and the news, in one free five-minute email each morning.',
      frame: 'site',
      page: './pages/home-page.tsx',
    },
  ],
});
