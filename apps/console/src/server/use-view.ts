import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';

/** Changes of a view; `undefined` returns to what is usual. */
export type ViewChange<View> = { [Name in keyof View]?: View[Name] | undefined };

/** The view that the address holds, and its changes. */
export interface AddressedView<View> {
  view: Partial<View>;
  /** @param options.isStep whether the button "back" returns to the view before; moving a selection is no step */
  change: (changes: ViewChange<View>, options?: { isStep?: boolean }) => void;
}

/**
 * Reads and changes the search parameters of the page.
 * @typeParam View what the validator of the page's route returns, all members present
 */
export function useView<View extends object>(): AddressedView<View> {
  // As a text the parameters are equal as long as none changes.
  const parameters = useRouterState({ select: ({ matches }) => JSON.stringify(matches.at(-1)?.search ?? {}) });
  const view = useMemo(() => JSON.parse(parameters) as Partial<View>, [parameters]);
  const navigate = useNavigate();
  const change = useCallback(
    (changes: ViewChange<View>, { isStep = true }: { isStep?: boolean } = {}) => {
      void navigate({ to: '.', search: (known: object) => ({ ...known, ...changes }), replace: !isStep, resetScroll: false });
    },
    [navigate],
  );
  return { view, change };
}

/** Uuids in the address of a page. */
export interface AddressedItems {
  partUuid?: string;
  characteristicUuid?: string;
  measurementUuid?: string;
}

/** Reads the uuids in the path of the address. */
export function useAddressedItems(): AddressedItems {
  const parameters = useRouterState({ select: ({ matches }) => JSON.stringify(matches.at(-1)?.params ?? {}) });
  return useMemo(() => JSON.parse(parameters) as AddressedItems, [parameters]);
}
