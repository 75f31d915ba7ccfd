import { useCallback, useState } from 'react';
import { SignupDialog } from '../../signup/signup-dialog.tsx';
import { useSignup } from '../../signup/use-signup.ts';
import { Closing } from './closing/closing.tsx';
import { Features } from './features/features.tsx';
import { Hero } from './hero/hero.tsx';
import { Questions } from './questions/questions.tsx';
import { ReadingList } from './reading-list/reading-list.tsx';

/** The home page (product document, section 2). */
export default function HomePage() {
  const [modal, setModal] = useState<'open' | 'closed'>('closed');
  const openModal = useCallback(() => setModal('open'), []);
  const closeModal = useCallback(() => setModal('closed'), []);
  const signup = useSignup(closeModal);
  return (
    <>
      <Hero onSubscribe={openModal} />
      <ReadingList />
      <Features />
      <Closing onSubscribe={openModal} />
      <Questions />
      <SignupDialog open={modal === 'open'} onClose={closeModal} signup={signup} />
    </>
  );
}
