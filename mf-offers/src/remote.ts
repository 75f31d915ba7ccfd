import { defineRemote } from '@daybook/platform/define-remote';

export default defineRemote({
  routes: [
    {
      path: '/continue-registration',
      title: 'Your bonus offers',
      description: 'Bonus offers from Daybook’s sponsors for new readers: pick any that help you, or none.',
      frame: 'site',
      noIndex: true,
      page: './pages/continue-registration-page.tsx',
    },
    {
      path: '/thank-you',
      title: 'You’re subscribed',
      description: 'Your subscription to the Daybook newsletter, and what happens next.',
      frame: 'site',
      noIndex: true,
      page: './pages/thank-you-page.tsx',
    },
    {
      path: '/redirect',
      title: 'Taking you to another website',
      description:
        'You are leaving Daybook for another website. It opens in a new tab in four seconds, unless you stop it.',
      frame: 'site',
      noIndex: true,
      page: './pages/redirect-page.tsx',
    },
    {
      path: '/ebook-download',
      title: 'The Senior Savings Guide: free PDF',
      description:
        'Download a free guide to savings of up to $5,000 a year for seniors: Medicare costs, prescriptions, food, property tax, utilities and more, with every number to call.',
      frame: 'site',
      page: './pages/ebook-download-page.tsx',
    },
    {
      path: '/offer-landing/emergency-pendant',
      title: 'Emergency pendant with home security',
      description:
        'Sponsored: help at the press of a button. An emergency pendant that works with a home security system, and $150 off the system for Daybook readers.',
      frame: 'site',
      page: './pages/emergency-pendant-page.tsx',
    },
    {
      path: '/offer-landing/dental-savings',
      title: 'Dental savings plans from $9.95 a month',
      description:
        'Sponsored: a dental savings plan lowers the price of checkups, fillings and crowns at participating dentists. Plans from $9.95 a month. See how it works.',
      frame: 'site',
      page: './pages/dental-savings-page.tsx',
    },
    {
      path: '/offer-landing/hearing-aids',
      title: 'Hearing aids: 45-day free trial',
      description:
        'Sponsored: wear modern hearing aids at home for 45 days, free of charge, and send them back if they are not for you. See what the trial includes.',
      frame: 'site',
      page: './pages/hearing-aids-page.tsx',
    },
  ],
});
