/** Texts of the signup form; those in quotes in docs/product.md (Home and Errors) are exact. */
export const signupCopy = {
  title: 'Where shall we send it?',
  lead: 'One email each morning, free. Every issue has a link that ends it.',
  label: 'Email address',
  /** Label of the honeypot, which only bots fill in. */
  topic: 'Topic',
  submit: 'Subscribe to Daybook',
  submitting: 'Signing up...',
  unexpectedFailure: 'Something went wrong. Please try again.',
  completed: {
    title: "You're all set!",
    subscribed: 'gets the first issue tomorrow morning.',
    offers: 'See your bonus offers',
    again: 'Sign up another person',
  },
  toasts: {
    success: { title: 'Success!', description: 'You have been subscribed to our daily newsletter.' },
    failureTitle: 'Error',
  },
} as const;
