import { createRoot } from 'react-dom/client';
import '../tokens/tokens.css';
import { Gallery } from './gallery.tsx';

const root = document.createElement('div');
document.body.append(root);
// One state shows a child that fails.
createRoot(root, { onCaughtError: () => undefined }).render(<Gallery />);
