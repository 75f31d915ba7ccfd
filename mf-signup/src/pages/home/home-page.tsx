import { useSignupModal } from '../../signup/use-signup-modal.tsx';
import { Closing } from './closing/closing.tsx';
import { Features } from './features/features.tsx';
import { Hero } from './hero/hero.tsx';
import { Questions } from './questions/questions.tsx';
import { ReadingList } from './reading-list/reading-list.tsx';

/** The home page (product document, section 2). */
export default function HomePage() {
  const { opener, modal } = useSignupModal();
  return (
    <>
      <Hero opener={opener} />
      <ReadingList />
      <Features />
      <Closing opener={opener} />
      <Questions />
      {modal}
    </>
  );
}
