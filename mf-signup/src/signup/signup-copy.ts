export const signupCopy = {
  title: 'Where should we send it?',
  lead: 'One free email every morning. Unsubscribe from any issue.',
  label: 'Email address',
  topic: 'Topic',
  submit: 'Subscribe to Daybook',
  submitting: 'Signing up...',
  unexpectedFailure: 'Something went wrong. Please try again.',
  notSubscribed: 'You’re not subscribed yet. Your address is still in the field, so you can try again.',
  completed: {
    title: "You're all set!",
    subscribed: 'will get its first issue tomorrow morning.',
    moving: 'Taking you to your welcome page…',
    offers: 'See your bonus offers',
    again: 'Sign up another person',
  },
  toasts: {
    success: { title: 'Success!', description: 'You have been subscribed to our daily newsletter.' },
    failureTitle: 'Error',
  },
} as const;
