import { Dialog } from '@daybook/ui';
import { SignupCompleted } from './signup-completed.tsx';
import { signupCopy } from './signup-copy.ts';
import { SignupForm } from './signup-form.tsx';
import type { Signup } from './use-signup.ts';

const dialogId = 'signup-dialog';

export interface SignupDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly signup: Signup;
}

/** The modal of section 2 of the product document: the form, and after it the completed state. */
export function SignupDialog({ open, onClose, signup }: SignupDialogProps) {
  const { completed } = signup;
  return (
    <Dialog
      id={dialogId}
      open={open}
      onClose={onClose}
      title={completed ? signupCopy.completed.title : signupCopy.title}
    >
      {completed ? (
        <SignupCompleted
          completed={completed}
          titleId={`${dialogId}-title`}
          onFollowOffers={signup.cancelRedirect}
          onStartOver={signup.startOver}
        />
      ) : (
        <SignupForm signup={signup} />
      )}
    </Dialog>
  );
}
