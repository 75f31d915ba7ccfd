import { defineRemote } from '@daybook/platform/define-remote';

export default defineRemote({
  routes: [
    {
      path: '/terms',
      title: 'Terms of Service',
      description:
        'The terms on which Daybook offers its free daily finance newsletter, this website and the sponsored offers on it.',
      frame: 'site',
      hydrate: 'on-interaction',
      page: './pages/terms-page.tsx',
    },
    {
      path: '/privacy-policy',
      title: 'Privacy Policy',
      description:
        'What Daybook knows about its readers, why, for how long, who receives it, and how to see, correct or delete it.',
      frame: 'site',
      hydrate: 'on-interaction',
      page: './pages/privacy-policy-page.tsx',
    },
    {
      path: '/california-privacy-notice',
      title: 'California Privacy Notice',
      description:
        'For residents of California: the personal information that Daybook collects, your rights under the CCPA and CPRA, and how to use them.',
      frame: 'site',
      hydrate: 'on-interaction',
      page: './pages/california-privacy-notice-page.tsx',
    },
    {
      path: '/e-consent',
      title: 'Electronic Communications Consent',
      description:
        'What you agree to receive by email when you subscribe to Daybook, what you need for it, and how to withdraw your consent.',
      frame: 'site',
      hydrate: 'on-interaction',
      page: './pages/e-consent-page.tsx',
    },
    {
      path: '/cookie-policy',
      title: 'Cookie Policy',
      description:
        'Every cookie and storage entry that Daybook uses in your browser: its name, its purpose, how long it lasts and how to delete it.',
      frame: 'site',
      hydrate: 'on-interaction',
      page: './pages/cookie-policy-page.tsx',
    },
    {
      path: '/accessible-view',
      title: 'Accessible View',
      description:
        'Daybook on one plain page: high contrast, a simple layout, made for screen readers and keyboards, without animations.',
      frame: 'bare',
      hydrate: 'on-interaction',
      page: './pages/accessible-view-page.tsx',
    },
  ],
});
