import type { Choice } from '../choice-form/choice.ts';
import { commentsField } from '../choice-form/fields/comments-field.tsx';
import { emailField } from '../choice-form/fields/email-field.tsx';
import { nameField } from '../choice-form/fields/name-field.tsx';
import { requestTypeField, requestTypeLabels } from '../choice-form/fields/request-type-field.tsx';

/** /privacy-rights-request (product document, sections 2, 3 and 9: 45 days). */
export const privacyRightsRequest: Choice = {
  kind: 'privacy-rights-request',
  requestName: 'Privacy rights request',
  heading: 'Privacy Rights Request',
  lead: 'See what we hold about you, have it corrected or deleted, or tell us to stop using it.',
  explanation:
    'We process requests within 45 days, as required by law. To protect you, we may first ask you to confirm that the email address is yours.',
  fields: [emailField, nameField, requestTypeField, commentsField],
  submitLabel: 'Submit Request',
  confirmation: {
    heading: 'Request Submitted Successfully',
    paragraphs: [
      'Your request will be processed within 45 days as required by law.',
      'A confirmation email will follow at the address you gave.',
    ],
  },
  supportNote: 'The sure way to make this request, or to ask about it, is to email',
  background: [
    {
      heading: 'What you can ask for',
      points: [
        {
          subject: `${requestTypeLabels.access}:`,
          text: 'a copy of your personal information, with where it came from, why we use it and whom we disclosed it to.',
        },
        {
          subject: `${requestTypeLabels.delete}:`,
          text: 'we erase what we hold about you, except what the law requires or allows us to keep. Your subscription ends with it.',
        },
        {
          subject: `${requestTypeLabels.correct}:`,
          text: 'we put right what is wrong. Please say in the comments what it should be.',
        },
        {
          subject: `${requestTypeLabels.portability}:`,
          text: 'your personal information in a common file format that you can take elsewhere.',
        },
        {
          subject: `${requestTypeLabels.restrict}:`,
          text: 'we keep your information but do not use it, for instance while a correction is being checked.',
        },
        {
          subject: `${requestTypeLabels.object}:`,
          text: 'we stop a use of your information that you object to. Please say in the comments which.',
        },
      ],
    },
    {
      heading: 'Who can ask',
      paragraphs: [
        'Anyone whose information we hold. Access, deletion, correction and portability are rights of California residents under the California Consumer Privacy Act (CCPA), as amended by the California Privacy Rights Act (CPRA). Restricting and objecting come from European law. We take each of these requests wherever you live.',
        'An authorized agent may ask for you. They should email support with your email address and your name, say that they act for you, and attach your signed permission.',
      ],
    },
  ],
};
