import type { ErrorCode } from '@sinebar/contracts';
import type { z } from 'zod';

/** A parameter of an address, as a client writes it. */
export interface ParameterDocumentation {
  description: string;
  example: string;
}

export interface HeaderDocumentation {
  description: string;
  example: string;
  /** Of requests only: it has to be sent. */
  required?: boolean;
}

export interface BodyDocumentation {
  description: string;
  example: unknown;
  /** Shape of a body that the handler reads from its bytes; otherwise the route's own schema says it. */
  schema?: z.ZodType;
  /** By default JSON. */
  contentType?: string;
}

/** An answer that succeeds: with a body, or with none. */
export interface ResponseDocumentation {
  description: string;
  headers?: Readonly<Record<string, Omit<HeaderDocumentation, 'required'>>>;
  content?: {
    schema: z.ZodType;
    example: unknown;
    /** By default JSON. */
    contentType?: string;
  };
}

/** Answers that many routes have. */
export const answers = {
  /** A JSON body. */
  json: (description: string, schema: z.ZodType, example: unknown): ResponseDocumentation => ({
    description,
    content: { schema, example },
  }),
  done: { description: 'Done; the answer has no body' },
  created: { description: 'Created; the answer has no body' },
  unchanged: { description: 'What the client has, as `If-None-Match` or `If-Modified-Since` says, is still right; the answer has no body' },
} as const;

/** What every route says about itself, whatever it takes. */
export interface AnyRouteDocumentation {
  /** Group of the route in the document. */
  tag: string;
  /** A few words, without a full stop. */
  summary: string;
  description?: string;
  /** By name; what is said of parameters that the route does not have is left out. */
  parameters?: Readonly<Record<string, ParameterDocumentation>>;
  /** Headers that the handler reads. */
  headers?: Readonly<Record<string, HeaderDocumentation>>;
  body?: BodyDocumentation;
  /** Answers that succeed, by status. */
  responses: Readonly<Record<number, ResponseDocumentation>>;
  /** Errors of this route beyond those of every route that takes what it takes. */
  errors: readonly ErrorCode[];
}

/** The documentation of a route with these parameters and this body: what there is has to be described, or the route does not compile. */
export type RouteDocumentation<P, Q, B> = Omit<AnyRouteDocumentation, 'parameters' | 'body'> &
  (keyof (P & Q) extends never ? unknown : { parameters: { readonly [Name in keyof (P & Q)]-?: ParameterDocumentation } }) &
  (unknown extends B ? { body?: BodyDocumentation } : { body: BodyDocumentation });
