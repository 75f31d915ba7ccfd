import { SignupDialog } from './signup-dialog.tsx';
import { useSignup } from './use-signup.ts';

export interface SignupModalProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/**
 * The signup modal and the flow behind it, in a chunk of their own. Once it is there it stays on the page, open or
 * not: closing it neither forgets the typed address nor stops the redirect.
 */
export function SignupModal({ open, onClose }: SignupModalProps) {
  const signup = useSignup(onClose);
  return <SignupDialog open={open} onClose={onClose} signup={signup} />;
}
