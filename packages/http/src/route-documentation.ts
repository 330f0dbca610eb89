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
  /** True if a request must send it. */
  required?: boolean;
}

export interface BodyDocumentation {
  description: string;
  example: unknown;
  /** Schema of a body that the handler reads from its bytes; otherwise the schema of the route is used. */
  schema?: z.ZodType;
  /** Content type; default: JSON. */
  contentType?: string;
}

/** Documentation of a successful answer, with or without a body. */
export interface ResponseDocumentation {
  description: string;
  headers?: Readonly<Record<string, Omit<HeaderDocumentation, 'required'>>>;
  content?: {
    schema: z.ZodType;
    example: unknown;
    /** Content type; default: JSON. */
    contentType?: string;
  };
}

export const answers = {
  json: (description: string, schema: z.ZodType, example: unknown): ResponseDocumentation => ({
    description,
    content: { schema, example },
  }),
  done: { description: 'Done; the answer has no body' },
  created: { description: 'Created; the answer has no body' },
  unchanged: { description: 'What the client has, as `If-None-Match` or `If-Modified-Since` says, is still right; the answer has no body' },
} as const;

export interface AnyRouteDocumentation {
  /** Group of the route in the document. */
  tag: string;
  /** Title of a few words, without a full stop. */
  summary: string;
  description?: string;
  /** Parameters by name; entries for parameters that the route does not have are left out. */
  parameters?: Readonly<Record<string, ParameterDocumentation>>;
  headers?: Readonly<Record<string, HeaderDocumentation>>;
  body?: BodyDocumentation;
  /** Answers that succeed, by status. */
  responses: Readonly<Record<number, ResponseDocumentation>>;
  /** Errors of this route in addition to those that follow from its inputs. */
  errors: readonly ErrorCode[];
}

/** Documentation of a route with these parameters and this body: every existing one must be described, or the route does not compile. */
export type RouteDocumentation<P, Q, B> = Omit<AnyRouteDocumentation, 'parameters' | 'body'> &
  (keyof (P & Q) extends never ? unknown : { parameters: { readonly [Name in keyof (P & Q)]-?: ParameterDocumentation } }) &
  (unknown extends B ? { body?: BodyDocumentation } : { body: BodyDocumentation });
