import { createContext } from 'react';
import type { ProgramSignIn } from './program-request';

/** How programs sign in: as the reader of the page does. */
export const ProgramSignInContext = createContext<ProgramSignIn>('none');
