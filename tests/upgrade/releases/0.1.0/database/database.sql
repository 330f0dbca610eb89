SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE SCHEMA bus;
CREATE SCHEMA inspection;
CREATE SCHEMA raw_data;
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA raw_data;
CREATE FUNCTION inspection.attribute_terms(attributes jsonb) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT array_agg(key || '=' || left(lower(value), 200)) FROM jsonb_each_text(attributes) $$;
CREATE FUNCTION inspection.limit_number(text) RETURNS numeric
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $_$ SELECT CASE WHEN $1 ~ '^[+-]?(\d{1,100}(\.\d{0,100})?|\.\d{1,100})([eE][+-]?\d{1,2})?$' THEN $1::numeric END $_$;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE bus.message (
    sequence bigint NOT NULL,
    id text NOT NULL,
    body text NOT NULL,
    size_bytes integer NOT NULL
);
CREATE TABLE bus.stream (
    single boolean DEFAULT true NOT NULL,
    epoch text NOT NULL,
    first_sequence bigint NOT NULL,
    last_sequence bigint NOT NULL,
    kept_bytes bigint NOT NULL,
    CONSTRAINT stream_single_check CHECK (single)
)
WITH (fillfactor='50');
CREATE TABLE inspection.alarm (
    id bigint NOT NULL,
    uuid uuid NOT NULL,
    part_id integer NOT NULL,
    characteristic_id integer,
    kind text NOT NULL,
    rule text NOT NULL,
    chart text NOT NULL,
    state text NOT NULL,
    revision integer NOT NULL,
    raised_at timestamp(3) with time zone NOT NULL,
    first_at timestamp with time zone,
    last_at timestamp with time zone,
    point_count integer NOT NULL,
    last_measurement_id bigint,
    last_value double precision,
    detail json NOT NULL,
    owner text NOT NULL,
    reaction text NOT NULL,
    is_muted boolean NOT NULL,
    is_old boolean NOT NULL,
    acknowledged_by text DEFAULT ''::text NOT NULL,
    acknowledged_at timestamp(3) with time zone,
    closed_by text DEFAULT ''::text NOT NULL,
    closed_at timestamp(3) with time zone,
    cause integer,
    cause_text text,
    action integer,
    action_text text,
    note text DEFAULT ''::text NOT NULL
);
CREATE TABLE inspection.alarm_change (
    id bigint NOT NULL,
    part_id integer NOT NULL,
    measured_at timestamp with time zone,
    measurement_id bigint NOT NULL,
    changed_at timestamp(3) with time zone
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000');
ALTER TABLE inspection.alarm_change ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME inspection.alarm_change_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE inspection.alarm_delivery (
    id bigint NOT NULL,
    uuid uuid NOT NULL,
    subscription_id bigint NOT NULL,
    state text NOT NULL,
    is_test boolean NOT NULL,
    alarm_ids bigint[] NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    next_at timestamp(3) with time zone NOT NULL,
    tries integer NOT NULL,
    all_tries integer NOT NULL,
    tried_at timestamp(3) with time zone,
    finished_at timestamp(3) with time zone,
    answer text NOT NULL
);
ALTER TABLE inspection.alarm_delivery ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME inspection.alarm_delivery_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE inspection.alarm_due (
    subscription_id bigint NOT NULL,
    alarm_id bigint NOT NULL,
    due_at timestamp(3) with time zone NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000');
ALTER TABLE inspection.alarm ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME inspection.alarm_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE inspection.alarm_mute (
    id bigint NOT NULL,
    uuid uuid NOT NULL,
    part_id integer NOT NULL,
    from_at timestamp(3) with time zone NOT NULL,
    until_at timestamp(3) with time zone NOT NULL,
    reason text NOT NULL,
    created_by text NOT NULL
);
ALTER TABLE inspection.alarm_mute ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME inspection.alarm_mute_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE inspection.alarm_notice (
    id bigint NOT NULL,
    alarm_id bigint NOT NULL,
    state text NOT NULL,
    at timestamp(3) with time zone NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000');
ALTER TABLE inspection.alarm_notice ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME inspection.alarm_notice_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE inspection.alarm_owner (
    user_key text NOT NULL,
    name text NOT NULL,
    claims json,
    seen_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE inspection.alarm_point (
    characteristic_id integer NOT NULL,
    kind text NOT NULL,
    rule text NOT NULL,
    chart text NOT NULL,
    measurement_id bigint NOT NULL,
    alarm_id bigint NOT NULL
);
CREATE TABLE inspection.alarm_step (
    id bigint NOT NULL,
    alarm_id bigint NOT NULL,
    state text NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    made_by text NOT NULL,
    cause_text text,
    action_text text,
    note text NOT NULL
);
ALTER TABLE inspection.alarm_step ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME inspection.alarm_step_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE inspection.alarm_subscription (
    id bigint NOT NULL,
    uuid uuid NOT NULL,
    owner text NOT NULL,
    part_uuid uuid NOT NULL,
    kinds text[] NOT NULL,
    receiver json NOT NULL,
    escalate_minutes integer,
    digest json,
    quiet_hours json,
    language text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    rate_at timestamp(3) with time zone
);
ALTER TABLE inspection.alarm_subscription ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME inspection.alarm_subscription_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE inspection.alarm_subscription_secret (
    subscription_uuid uuid NOT NULL,
    secret text NOT NULL
);
CREATE TABLE inspection.assessment_change (
    id bigint NOT NULL,
    part_id integer NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000');
ALTER TABLE inspection.assessment_change ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME inspection.assessment_change_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE inspection.assessment_lease (
    id integer NOT NULL,
    holder uuid NOT NULL,
    held_until timestamp with time zone NOT NULL,
    required double precision,
    CONSTRAINT assessment_lease_id_check CHECK ((id = 1))
);
CREATE TABLE inspection.attribute_definition (
    key integer NOT NULL,
    entity text NOT NULL,
    description text NOT NULL,
    type text NOT NULL,
    length integer,
    catalog uuid,
    CONSTRAINT attribute_definition_check CHECK (((type = 'Catalog'::text) = (catalog IS NOT NULL))),
    CONSTRAINT attribute_definition_check1 CHECK (((type = 'AlphaNumeric'::text) = (length IS NOT NULL))),
    CONSTRAINT attribute_definition_entity_check CHECK ((entity = ANY (ARRAY['part'::text, 'characteristic'::text, 'measurement'::text, 'value'::text, 'catalog'::text]))),
    CONSTRAINT attribute_definition_key_check CHECK (((key >= 0) AND (key <= 65535))),
    CONSTRAINT attribute_definition_type_check CHECK ((type = ANY (ARRAY['AlphaNumeric'::text, 'Integer'::text, 'Float'::text, 'DateTime'::text, 'Catalog'::text])))
);
CREATE TABLE inspection.attribute_purge (
    entity text NOT NULL,
    key integer NOT NULL,
    requested_at timestamp(3) with time zone NOT NULL,
    stage integer DEFAULT 0 NOT NULL,
    "position" text
);
CREATE TABLE inspection.catalog (
    uuid uuid NOT NULL,
    name text NOT NULL,
    valid_attributes integer[] NOT NULL,
    "position" bigint NOT NULL
);
CREATE TABLE inspection.catalog_entry (
    catalog uuid NOT NULL,
    key smallint NOT NULL,
    attributes jsonb NOT NULL,
    CONSTRAINT catalog_entry_key_check CHECK ((key >= 0))
);
ALTER TABLE inspection.catalog ALTER COLUMN "position" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME inspection.catalog_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE inspection.characteristic_set (
    id integer NOT NULL,
    part_id integer NOT NULL,
    characteristic_ids integer[] NOT NULL,
    hash bytea NOT NULL,
    stale boolean DEFAULT false NOT NULL
);
ALTER TABLE inspection.characteristic_set ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME inspection.characteristic_set_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE inspection.evaluation (
    item_id integer NOT NULL,
    revision integer NOT NULL,
    state jsonb NOT NULL
);
CREATE TABLE inspection.evaluation_exclusion (
    item_id integer NOT NULL,
    measurement_id bigint NOT NULL,
    reason text NOT NULL,
    excluded_by text NOT NULL,
    excluded_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE inspection.evaluation_history (
    item_id integer NOT NULL,
    revision integer NOT NULL,
    changed_at timestamp(3) with time zone NOT NULL,
    changed_by text NOT NULL,
    reason text NOT NULL,
    state jsonb
);
CREATE TABLE inspection.figure_change (
    id bigint NOT NULL,
    part_id integer NOT NULL,
    measured_at timestamp with time zone,
    measurement_id bigint NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000');
ALTER TABLE inspection.figure_change ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME inspection.figure_change_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE inspection.figure_state (
    id integer NOT NULL,
    fill_at timestamp with time zone,
    seen_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT figure_state_id_check CHECK ((id = 1))
);
CREATE TABLE inspection.file_import (
    md5 text NOT NULL,
    place text NOT NULL,
    answer jsonb NOT NULL,
    imported_at timestamp(3) with time zone NOT NULL,
    state text DEFAULT 'stored'::text NOT NULL,
    plan jsonb
);
CREATE TABLE inspection.first_article (
    part_id integer NOT NULL,
    fields jsonb NOT NULL
);
CREATE TABLE inspection.import_operation (
    uuid uuid NOT NULL,
    requested_by text NOT NULL,
    requested_at timestamp(3) with time zone NOT NULL,
    alive_at timestamp(3) with time zone NOT NULL,
    done bigint DEFAULT 0 NOT NULL,
    total bigint NOT NULL,
    finished_at timestamp(3) with time zone,
    failure jsonb,
    answer jsonb
);
CREATE TABLE inspection.kept_assessment (
    part_id integer NOT NULL,
    characteristics bytea NOT NULL,
    fields bytea NOT NULL
);
ALTER TABLE ONLY inspection.kept_assessment ALTER COLUMN characteristics SET STORAGE EXTERNAL;
ALTER TABLE ONLY inspection.kept_assessment ALTER COLUMN fields SET STORAGE EXTERNAL;
CREATE TABLE inspection.kept_figures (
    part_id integer NOT NULL,
    characteristics bytea NOT NULL,
    total bytea NOT NULL,
    settled bytea,
    settled_at timestamp with time zone,
    settled_id bigint
);
ALTER TABLE ONLY inspection.kept_figures ALTER COLUMN characteristics SET STORAGE EXTERNAL;
ALTER TABLE ONLY inspection.kept_figures ALTER COLUMN total SET STORAGE EXTERNAL;
ALTER TABLE ONLY inspection.kept_figures ALTER COLUMN settled SET STORAGE EXTERNAL;
CREATE TABLE inspection.kept_limits (
    characteristic_id integer NOT NULL,
    state json NOT NULL
);
CREATE TABLE inspection.kept_model (
    characteristic_id integer NOT NULL,
    state json NOT NULL
);
CREATE TABLE inspection.measurement (
    id bigint NOT NULL,
    uuid uuid NOT NULL,
    part_id integer NOT NULL,
    measured_at timestamp with time zone,
    last_modified timestamp(3) with time zone NOT NULL,
    created timestamp(3) with time zone NOT NULL,
    characteristic_set_id integer,
    aggregation boolean NOT NULL,
    attributes jsonb NOT NULL,
    comment text,
    "values" double precision[],
    digits bytea,
    extras jsonb,
    values_version integer DEFAULT 0 NOT NULL
);
ALTER TABLE ONLY inspection.measurement ALTER COLUMN "values" SET STORAGE EXTERNAL;
ALTER TABLE inspection.measurement ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME inspection.measurement_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE inspection.note (
    id bigint NOT NULL,
    uuid uuid NOT NULL,
    item_id integer NOT NULL,
    measurement_id bigint,
    from_at timestamp(3) with time zone,
    to_at timestamp(3) with time zone,
    text text NOT NULL,
    cause integer,
    cause_text text,
    created_by text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    modified_by text NOT NULL,
    modified_at timestamp(3) with time zone
);
ALTER TABLE inspection.note ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME inspection.note_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE inspection.outbox (
    id bigint NOT NULL,
    event_id uuid NOT NULL,
    envelope text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000', autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='50000');
ALTER TABLE inspection.outbox ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME inspection.outbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE inspection.pending_operation (
    uuid uuid NOT NULL,
    request jsonb NOT NULL,
    request_id text NOT NULL,
    requested_at timestamp(3) with time zone NOT NULL,
    last_measurement_id bigint NOT NULL,
    total bigint,
    done bigint DEFAULT 0 NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    finished_at timestamp(3) with time zone,
    failure jsonb
);
CREATE TABLE inspection.pending_operation_item (
    operation uuid NOT NULL,
    measurement_id bigint NOT NULL
);
CREATE TABLE inspection.plan_item (
    id integer NOT NULL,
    uuid uuid NOT NULL,
    kind text NOT NULL,
    parent_id integer,
    part_id integer NOT NULL,
    name text NOT NULL,
    folded_name text NOT NULL COLLATE pg_catalog."C",
    path text NOT NULL COLLATE pg_catalog."C",
    marked_path text NOT NULL,
    depth integer NOT NULL,
    attributes jsonb DEFAULT '{}'::jsonb NOT NULL,
    comment text,
    version integer NOT NULL,
    plan_version integer NOT NULL,
    modified_at timestamp(3) with time zone NOT NULL,
    characteristics_modified_at timestamp(3) with time zone NOT NULL,
    lower_tolerance double precision GENERATED ALWAYS AS (
CASE
    WHEN (kind = 'characteristic'::text) THEN (COALESCE(inspection.limit_number((attributes ->> '2110'::text)), (inspection.limit_number((attributes ->> '2101'::text)) + inspection.limit_number((attributes ->> '2112'::text)))))::double precision
    ELSE NULL::double precision
END) STORED,
    upper_tolerance double precision GENERATED ALWAYS AS (
CASE
    WHEN (kind = 'characteristic'::text) THEN (COALESCE(inspection.limit_number((attributes ->> '2111'::text)), (inspection.limit_number((attributes ->> '2101'::text)) + inspection.limit_number((attributes ->> '2113'::text)))))::double precision
    ELSE NULL::double precision
END) STORED,
    lower_warning double precision GENERATED ALWAYS AS (
CASE
    WHEN (kind = 'characteristic'::text) THEN (inspection.limit_number((attributes ->> '8014'::text)))::double precision
    ELSE NULL::double precision
END) STORED,
    upper_warning double precision GENERATED ALWAYS AS (
CASE
    WHEN (kind = 'characteristic'::text) THEN (inspection.limit_number((attributes ->> '8015'::text)))::double precision
    ELSE NULL::double precision
END) STORED,
    CONSTRAINT plan_item_kind_check CHECK ((kind = ANY (ARRAY['part'::text, 'characteristic'::text])))
);
CREATE TABLE inspection.plan_item_history (
    sequence bigint NOT NULL,
    item_id integer NOT NULL,
    version integer NOT NULL,
    marked_path text NOT NULL,
    attributes jsonb NOT NULL,
    comment text,
    modified_at timestamp(3) with time zone NOT NULL,
    characteristics_modified_at timestamp(3) with time zone NOT NULL
);
ALTER TABLE inspection.plan_item_history ALTER COLUMN sequence ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME inspection.plan_item_history_sequence_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE SEQUENCE inspection.plan_item_id
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE inspection.plan_item_id OWNED BY inspection.plan_item.id;
CREATE TABLE inspection.plant_settings (
    revision integer NOT NULL,
    changed_at timestamp(3) with time zone NOT NULL,
    changed_by text NOT NULL,
    reason text NOT NULL,
    state jsonb NOT NULL
);
CREATE TABLE inspection.report (
    id bigint NOT NULL,
    uuid uuid NOT NULL,
    owner text NOT NULL,
    made_by text NOT NULL,
    template text NOT NULL,
    title text NOT NULL,
    part_uuid uuid NOT NULL,
    path text NOT NULL COLLATE pg_catalog."C",
    marked_path text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    from_at timestamp(3) with time zone,
    to_at timestamp(3) with time zone NOT NULL,
    language text NOT NULL,
    state text NOT NULL,
    reason text NOT NULL,
    pages integer,
    size_bytes integer,
    sha256 text,
    is_whole boolean NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE inspection.report_content (
    report_uuid uuid NOT NULL,
    "position" integer NOT NULL,
    bytes bytea NOT NULL
);
ALTER TABLE inspection.report ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME inspection.report_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE inspection.saved_view (
    uuid uuid NOT NULL,
    owner text NOT NULL,
    saved_by text NOT NULL,
    saved_at timestamp(3) with time zone NOT NULL,
    name text NOT NULL,
    address text NOT NULL,
    shared boolean NOT NULL
);
CREATE TABLE inspection.schema_migration (
    number integer NOT NULL,
    name text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE inspection.schema_version (
    only_row boolean DEFAULT true NOT NULL,
    current integer NOT NULL,
    oldest_code integer NOT NULL,
    CONSTRAINT schema_version_only_row_check CHECK (only_row)
);
CREATE TABLE inspection.server_state (
    id integer NOT NULL,
    revision integer NOT NULL,
    inspection_plan_at timestamp(3) with time zone NOT NULL,
    measurement_at timestamp(3) with time zone NOT NULL,
    configuration_at timestamp(3) with time zone NOT NULL,
    catalog_at timestamp(3) with time zone NOT NULL,
    configuration_version integer DEFAULT 0 NOT NULL,
    catalog_version integer DEFAULT 0 NOT NULL,
    CONSTRAINT server_state_id_check CHECK ((id = 1))
);
CREATE TABLE inspection.statistics (
    id integer NOT NULL,
    part_count bigint NOT NULL,
    characteristic_count bigint NOT NULL,
    measurement_count bigint NOT NULL,
    value_count bigint NOT NULL,
    CONSTRAINT statistics_id_check CHECK ((id = 1))
);
CREATE TABLE inspection.status_change (
    id bigint NOT NULL,
    characteristic_id integer NOT NULL,
    changed_at timestamp(3) with time zone NOT NULL,
    measurement_id bigint,
    kind text NOT NULL,
    before text NOT NULL,
    after text NOT NULL
);
ALTER TABLE inspection.status_change ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME inspection.status_change_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE inspection.table_mapping (
    name text NOT NULL,
    mapping json NOT NULL,
    saved_by text NOT NULL,
    saved_at timestamp(3) with time zone NOT NULL
);
CREATE TABLE raw_data.blob_removal (
    object_name uuid NOT NULL,
    due timestamp with time zone NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    md5 bytea
);
CREATE TABLE raw_data.deleted_target (
    entity text NOT NULL,
    target_uuid uuid NOT NULL,
    characteristic_uuid uuid NOT NULL,
    at timestamp with time zone NOT NULL
);
CREATE TABLE raw_data.follow_position (
    only_row boolean DEFAULT true NOT NULL,
    epoch text,
    sequence bigint DEFAULT 0 NOT NULL,
    generation bigint DEFAULT 0 NOT NULL,
    CONSTRAINT follow_position_only_row_check CHECK (only_row)
);
CREATE TABLE raw_data.outbox (
    id bigint NOT NULL,
    event_id uuid NOT NULL,
    envelope text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000', autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='50000');
ALTER TABLE raw_data.outbox ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME raw_data.outbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE raw_data.part (
    uuid uuid NOT NULL,
    path text NOT NULL COLLATE pg_catalog."C",
    generation bigint DEFAULT 0 NOT NULL,
    revision xid8 DEFAULT pg_current_xact_id() NOT NULL
);
CREATE TABLE raw_data.raw_data_object (
    id bigint NOT NULL,
    entity text NOT NULL,
    target_uuid uuid NOT NULL,
    characteristic_uuid uuid NOT NULL,
    part_uuid uuid NOT NULL,
    key integer NOT NULL,
    file_name text NOT NULL,
    mime_type text NOT NULL,
    size_bytes bigint NOT NULL,
    md5 bytea NOT NULL,
    created timestamp(3) with time zone NOT NULL,
    last_modified timestamp(3) with time zone NOT NULL,
    object_name uuid NOT NULL,
    target_identity text,
    target_version integer,
    CONSTRAINT raw_data_object_entity_check CHECK ((entity = ANY (ARRAY['Part'::text, 'Characteristic'::text, 'Measurement'::text, 'Value'::text]))),
    CONSTRAINT raw_data_object_key_check CHECK ((key >= 0)),
    CONSTRAINT raw_data_object_md5_check CHECK ((length(md5) = 16)),
    CONSTRAINT raw_data_object_size_bytes_check CHECK ((size_bytes >= 0))
);
ALTER TABLE raw_data.raw_data_object ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME raw_data.raw_data_object_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE raw_data.schema_migration (
    number integer NOT NULL,
    name text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE raw_data.schema_version (
    only_row boolean DEFAULT true NOT NULL,
    current integer NOT NULL,
    oldest_code integer NOT NULL,
    CONSTRAINT schema_version_only_row_check CHECK (only_row)
);
CREATE TABLE raw_data.sweep_run (
    only_row boolean DEFAULT true NOT NULL,
    at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    CONSTRAINT sweep_run_only_row_check CHECK (only_row)
);
CREATE TABLE raw_data.thumbnail (
    md5 bytea NOT NULL,
    object_name uuid NOT NULL,
    mime_type text NOT NULL,
    size_bytes integer NOT NULL,
    CONSTRAINT thumbnail_md5_check CHECK ((length(md5) = 16)),
    CONSTRAINT thumbnail_size_bytes_check CHECK ((size_bytes > 0))
);
INSERT INTO bus.message VALUES (1, 'a15b85e7-d5e9-41ee-b0e3-5496828e0f33', '{"specversion":"1.0","id":"a15b85e7-d5e9-41ee-b0e3-5496828e0f33","source":"/inspection","type":"ConfigurationModified","time":"2026-11-28T07:34:05.309Z","subject":"00000000-0000-0000-0000-000000000000","datacontenttype":"application/json","sinebarpath":"","sinebarpart":"00000000-0000-0000-0000-000000000000","data":{"events":[{"EntityType":"catalog","AttributeKeys":[14001]}]}}', 378);
INSERT INTO bus.message VALUES (2, '5dbf4ae8-f95e-46ff-9147-6bf69a8462e6', '{"specversion":"1.0","id":"5dbf4ae8-f95e-46ff-9147-6bf69a8462e6","source":"/inspection","type":"ConfigurationModified","time":"2026-11-28T07:34:05.335Z","subject":"00000000-0000-0000-0000-000000000000","datacontenttype":"application/json","sinebarpath":"","sinebarpart":"00000000-0000-0000-0000-000000000000","data":{"events":[{"EntityType":"part","AttributeKeys":[1001]}]}}', 374);
INSERT INTO bus.message VALUES (3, 'c3a0c316-d1d5-404a-a7fc-381da2c5344b', '{"specversion":"1.0","id":"c3a0c316-d1d5-404a-a7fc-381da2c5344b","source":"/inspection","type":"ConfigurationModified","time":"2026-11-28T07:34:05.358Z","subject":"00000000-0000-0000-0000-000000000000","datacontenttype":"application/json","sinebarpath":"","sinebarpart":"00000000-0000-0000-0000-000000000000","data":{"events":[{"EntityType":"characteristic","AttributeKeys":[2101]}]}}', 384);
INSERT INTO bus.message VALUES (4, 'fd35e7e9-9d63-40a0-afb7-0c41e1600d5e', '{"specversion":"1.0","id":"fd35e7e9-9d63-40a0-afb7-0c41e1600d5e","source":"/inspection","type":"ConfigurationModified","time":"2026-11-28T07:34:05.380Z","subject":"00000000-0000-0000-0000-000000000000","datacontenttype":"application/json","sinebarpath":"","sinebarpart":"00000000-0000-0000-0000-000000000000","data":{"events":[{"EntityType":"characteristic","AttributeKeys":[2110]}]}}', 384);
INSERT INTO bus.message VALUES (5, '2aa33ac1-d61f-4c69-b354-0f5866371720', '{"specversion":"1.0","id":"2aa33ac1-d61f-4c69-b354-0f5866371720","source":"/inspection","type":"ConfigurationModified","time":"2026-11-28T07:34:05.392Z","subject":"00000000-0000-0000-0000-000000000000","datacontenttype":"application/json","sinebarpath":"","sinebarpart":"00000000-0000-0000-0000-000000000000","data":{"events":[{"EntityType":"characteristic","AttributeKeys":[2111]}]}}', 384);
INSERT INTO bus.message VALUES (6, '2115c348-ae9b-4b24-bcdc-02201ebd9dfc', '{"specversion":"1.0","id":"2115c348-ae9b-4b24-bcdc-02201ebd9dfc","source":"/inspection","type":"ConfigurationModified","time":"2026-11-28T07:34:05.418Z","subject":"00000000-0000-0000-0000-000000000000","datacontenttype":"application/json","sinebarpath":"","sinebarpart":"00000000-0000-0000-0000-000000000000","data":{"events":[{"EntityType":"measurement","AttributeKeys":[4]}]}}', 378);
INSERT INTO bus.message VALUES (7, '1caf1e1a-f79d-4e65-a4b9-6d4955fed17b', '{"specversion":"1.0","id":"1caf1e1a-f79d-4e65-a4b9-6d4955fed17b","source":"/inspection","type":"ConfigurationModified","time":"2026-11-28T07:34:05.430Z","subject":"00000000-0000-0000-0000-000000000000","datacontenttype":"application/json","sinebarpath":"","sinebarpart":"00000000-0000-0000-0000-000000000000","data":{"events":[{"EntityType":"measurement","AttributeKeys":[14]}]}}', 379);
INSERT INTO bus.message VALUES (8, '991c6930-d74f-4622-8131-18e5e118fe34', '{"specversion":"1.0","id":"991c6930-d74f-4622-8131-18e5e118fe34","source":"/inspection","type":"ConfigurationModified","time":"2026-11-28T07:34:05.442Z","subject":"00000000-0000-0000-0000-000000000000","datacontenttype":"application/json","sinebarpath":"","sinebarpart":"00000000-0000-0000-0000-000000000000","data":{"events":[{"EntityType":"value","AttributeKeys":[9]}]}}', 372);
INSERT INTO bus.message VALUES (9, '74d3a100-fc7b-4798-8c6a-ca943a98d869', '{"specversion":"1.0","id":"74d3a100-fc7b-4798-8c6a-ca943a98d869","source":"/inspection","type":"ConfigurationModified","time":"2026-11-28T07:34:05.462Z","subject":"00000000-0000-0000-0000-000000000000","datacontenttype":"application/json","sinebarpath":"","sinebarpart":"00000000-0000-0000-0000-000000000000","data":{"events":[{"EntityType":"part","AttributeKeys":[1002]}]}}', 374);
INSERT INTO bus.message VALUES (10, 'c52e3f95-41fc-4648-8a8f-4b6651e3a5dc', '{"specversion":"1.0","id":"c52e3f95-41fc-4648-8a8f-4b6651e3a5dc","source":"/inspection","type":"PartCreated","time":"2026-11-28T07:34:05.476Z","subject":"00000001-0000-4000-8000-000000000000","datacontenttype":"application/json","sinebarpath":"ppump ss/","sinebarpart":"00000001-0000-4000-8000-000000000000","data":{"events":[{"PartUuid":"00000001-0000-4000-8000-000000000000","ParentPartUuid":"00000000-0000-0000-0000-000000000000"}]}}', 436);
INSERT INTO bus.message VALUES (11, '3f846d39-64f3-4699-8fee-099aa6a8ac12', '{"specversion":"1.0","id":"3f846d39-64f3-4699-8fee-099aa6a8ac12","source":"/inspection","type":"PartCreated","time":"2026-11-28T07:34:05.476Z","subject":"00000002-0000-4000-8000-000000000000","datacontenttype":"application/json","sinebarpath":"ppump ss/pwheel/","sinebarpart":"00000002-0000-4000-8000-000000000000","data":{"events":[{"PartUuid":"00000002-0000-4000-8000-000000000000","ParentPartUuid":"00000001-0000-4000-8000-000000000000"}]}}', 443);
INSERT INTO bus.message VALUES (12, '86813415-6d54-4648-9822-e7170a3b65bb', '{"specversion":"1.0","id":"86813415-6d54-4648-9822-e7170a3b65bb","source":"/inspection","type":"CharacteristicCreated","time":"2026-11-28T07:34:05.490Z","subject":"00000001-0000-4000-8000-000000000000","datacontenttype":"application/json","sinebarpath":"ppump ss/","sinebarpart":"00000001-0000-4000-8000-000000000000","data":{"events":[{"CharacteristicUuid":"00000003-0000-4000-8000-000000000000","ParentUuid":"00000001-0000-4000-8000-000000000000"},{"CharacteristicUuid":"00000004-0000-4000-8000-000000000000","ParentUuid":"00000003-0000-4000-8000-000000000000"}]}}', 566);
INSERT INTO bus.message VALUES (13, 'ce2c6906-816a-490c-b6bc-cdaba6b6543b', '{"specversion":"1.0","id":"ce2c6906-816a-490c-b6bc-cdaba6b6543b","source":"/inspection","type":"CharacteristicCreated","time":"2026-11-28T07:34:05.490Z","subject":"00000002-0000-4000-8000-000000000000","datacontenttype":"application/json","sinebarpath":"ppump ss/pwheel/","sinebarpart":"00000002-0000-4000-8000-000000000000","data":{"events":[{"CharacteristicUuid":"00000009-0000-4000-8000-000000000000","ParentUuid":"00000002-0000-4000-8000-000000000000"}]}}', 459);
INSERT INTO bus.message VALUES (14, 'e5d5ecb3-aed8-4bcf-8b89-9293246366cc', '{"specversion":"1.0","id":"e5d5ecb3-aed8-4bcf-8b89-9293246366cc","source":"/inspection","type":"MeasurementCreated","time":"2026-11-28T07:34:05.510Z","subject":"00000001-0000-4000-8000-000000000000","datacontenttype":"application/json","sinebarpath":"ppump ss/","sinebarpart":"00000001-0000-4000-8000-000000000000","data":{"events":[{"CharacteristicUuid":"00000001-0000-4000-8000-000000000000","PartUuid":"00000001-0000-4000-8000-000000000000","MeasurementUuid":"00000006-0000-4000-8000-000000000000"},{"CharacteristicUuid":"00000001-0000-4000-8000-000000000000","PartUuid":"00000001-0000-4000-8000-000000000000","MeasurementUuid":"00000007-0000-4000-8000-000000000000"}]}}', 673);
INSERT INTO bus.message VALUES (15, '5ef01db5-29cf-4efa-8af6-0108d7883ab5', '{"specversion":"1.0","id":"5ef01db5-29cf-4efa-8af6-0108d7883ab5","source":"/inspection","type":"MeasurementCreated","time":"2026-11-28T07:34:05.520Z","subject":"00000008-0000-4000-8000-000000000000","datacontenttype":"application/json","sinebarpath":"ppump ss/","sinebarpart":"00000001-0000-4000-8000-000000000000","data":{"events":[{"CharacteristicUuid":"00000001-0000-4000-8000-000000000000","PartUuid":"00000001-0000-4000-8000-000000000000","MeasurementUuid":"00000008-0000-4000-8000-000000000000"}]}}', 504);
INSERT INTO bus.message VALUES (16, '3aa482ee-d9c1-413d-87c7-dcfab55849aa', '{"specversion":"1.0","id":"3aa482ee-d9c1-413d-87c7-dcfab55849aa","source":"/inspection","type":"MeasurementCreated","time":"2026-11-28T07:34:05.535Z","subject":"00000002-0000-4000-8000-000000000000","datacontenttype":"application/json","sinebarpath":"ppump ss/pwheel/","sinebarpart":"00000002-0000-4000-8000-000000000000","data":{"events":[{"CharacteristicUuid":"00000002-0000-4000-8000-000000000000","PartUuid":"00000002-0000-4000-8000-000000000000","MeasurementUuid":"00000100-0000-4000-8000-000000000000"},{"CharacteristicUuid":"00000002-0000-4000-8000-000000000000","PartUuid":"00000002-0000-4000-8000-000000000000","MeasurementUuid":"00000100-0000-4000-8000-000000000001"},{"CharacteristicUuid":"00000002-0000-4000-8000-000000000000","PartUuid":"00000002-0000-4000-8000-000000000000","MeasurementUuid":"00000100-0000-4000-8000-000000000002"},{"CharacteristicUuid":"00000002-0000-4000-8000-000000000000","PartUuid":"00000002-0000-4000-8000-000000000000","MeasurementUuid":"00000100-0000-4000-8000-000000000003"},{"CharacteristicUuid":"00000002-0000-4000-8000-000000000000","PartUuid":"00000002-0000-4000-8000-000000000000","MeasurementUuid":"00000100-0000-4000-8000-000000000004"},{"CharacteristicUuid":"00000002-0000-4000-8000-000000000000","PartUuid":"00000002-0000-4000-8000-000000000000","MeasurementUuid":"00000100-0000-4000-8000-000000000005"},{"CharacteristicUuid":"00000002-0000-4000-8000-000000000000","PartUuid":"00000002-0000-4000-8000-000000000000","MeasurementUuid":"00000100-0000-4000-8000-000000000006"},{"CharacteristicUuid":"00000002-0000-4000-8000-000000000000","PartUuid":"00000002-0000-4000-8000-000000000000","MeasurementUuid":"00000100-0000-4000-8000-000000000007"},{"CharacteristicUuid":"00000002-0000-4000-8000-000000000000","PartUuid":"00000002-0000-4000-8000-000000000000","MeasurementUuid":"00000100-0000-4000-8000-000000000008"},{"CharacteristicUuid":"00000002-0000-4000-8000-000000000000","PartUuid":"00000002-0000-4000-8000-000000000000","MeasurementUuid":"00000100-0000-4000-8000-000000000009"},{"CharacteristicUuid":"00000002-0000-4000-8000-000000000000","PartUuid":"00000002-0000-4000-8000-000000000000","MeasurementUuid":"00000100-0000-4000-8000-000000000010"},{"CharacteristicUuid":"00000002-0000-4000-8000-000000000000","PartUuid":"00000002-0000-4000-8000-000000000000","MeasurementUuid":"00000100-0000-4000-8000-000000000011"},{"CharacteristicUuid":"00000002-0000-4000-8000-000000000000","PartUuid":"00000002-0000-4000-8000-000000000000","MeasurementUuid":"00000100-0000-4000-8000-000000000012"},{"CharacteristicUuid":"00000002-0000-4000-8000-000000000000","PartUuid":"00000002-0000-4000-8000-000000000000","MeasurementUuid":"00000100-0000-4000-8000-000000000013"},{"CharacteristicUuid":"00000002-0000-4000-8000-000000000000","PartUuid":"00000002-0000-4000-8000-000000000000","MeasurementUuid":"00000100-0000-4000-8000-000000000014"},{"CharacteristicUuid":"00000002-0000-4000-8000-000000000000","PartUuid":"00000002-0000-4000-8000-000000000000","MeasurementUuid":"00000100-0000-4000-8000-000000000015"},{"CharacteristicUuid":"00000002-0000-4000-8000-000000000000","PartUuid":"00000002-0000-4000-8000-000000000000","MeasurementUuid":"00000100-0000-4000-8000-000000000016"},{"CharacteristicUuid":"00000002-0000-4000-8000-000000000000","PartUuid":"00000002-0000-4000-8000-000000000000","MeasurementUuid":"00000100-0000-4000-8000-000000000017"},{"CharacteristicUuid":"00000002-0000-4000-8000-000000000000","PartUuid":"00000002-0000-4000-8000-000000000000","MeasurementUuid":"00000100-0000-4000-8000-000000000018"},{"CharacteristicUuid":"00000002-0000-4000-8000-000000000000","PartUuid":"00000002-0000-4000-8000-000000000000","MeasurementUuid":"00000100-0000-4000-8000-000000000019"},{"CharacteristicUuid":"00000002-0000-4000-8000-000000000000","PartUuid":"00000002-0000-4000-8000-000000000000","MeasurementUuid":"00000100-0000-4000-8000-000000000020"},{"CharacteristicUuid":"00000002-0000-4000-8000-000000000000","PartUuid":"00000002-0000-4000-8000-000000000000","MeasurementUuid":"00000100-0000-4000-8000-000000000021"},{"CharacteristicUuid":"00000002-0000-4000-8000-000000000000","PartUuid":"00000002-0000-4000-8000-000000000000","MeasurementUuid":"00000100-0000-4000-8000-000000000022"},{"CharacteristicUuid":"00000002-0000-4000-8000-000000000000","PartUuid":"00000002-0000-4000-8000-000000000000","MeasurementUuid":"00000100-0000-4000-8000-000000000023"},{"CharacteristicUuid":"00000002-0000-4000-8000-000000000000","PartUuid":"00000002-0000-4000-8000-000000000000","MeasurementUuid":"00000100-0000-4000-8000-000000000024"},{"CharacteristicUuid":"00000002-0000-4000-8000-000000000000","PartUuid":"00000002-0000-4000-8000-000000000000","MeasurementUuid":"00000100-0000-4000-8000-000000000025"},{"CharacteristicUuid":"00000002-0000-4000-8000-000000000000","PartUuid":"00000002-0000-4000-8000-000000000000","MeasurementUuid":"00000100-0000-4000-8000-000000000026"},{"CharacteristicUuid":"00000002-0000-4000-8000-000000000000","PartUuid":"00000002-0000-4000-8000-000000000000","MeasurementUuid":"00000100-0000-4000-8000-000000000027"},{"CharacteristicUuid":"00000002-0000-4000-8000-000000000000","PartUuid":"00000002-0000-4000-8000-000000000000","MeasurementUuid":"00000100-0000-4000-8000-000000000028"},{"CharacteristicUuid":"00000002-0000-4000-8000-000000000000","PartUuid":"00000002-0000-4000-8000-000000000000","MeasurementUuid":"00000100-0000-4000-8000-000000000029"}]}}', 5412);
INSERT INTO bus.message VALUES (17, 'b47e9741-1a8f-4aeb-98e3-755c883901aa', '{"specversion":"1.0","id":"b47e9741-1a8f-4aeb-98e3-755c883901aa","source":"/inspection","type":"EvaluationModified","time":"2026-11-28T07:34:05.568Z","subject":"00000009-0000-4000-8000-000000000000","datacontenttype":"application/json","sinebarpath":"ppump ss/pwheel/cbore/","sinebarpart":"00000002-0000-4000-8000-000000000000","data":{"events":[{"Entity":"Characteristic","Uuid":"00000009-0000-4000-8000-000000000000"}]}}', 422);
INSERT INTO bus.message VALUES (18, '2be614fd-29ba-4ab8-be6b-478cf196d086', '{"specversion":"1.0","id":"2be614fd-29ba-4ab8-be6b-478cf196d086","source":"/inspection","type":"AlarmRaised","time":"2026-11-28T07:34:05.584Z","subject":"9ff68fc7-c445-488a-a0df-c24b8dbd8280","datacontenttype":"application/json","sinebarpath":"ppump ss/","sinebarpart":"00000001-0000-4000-8000-000000000000","data":{"events":[{"AlarmUuid":"9ff68fc7-c445-488a-a0df-c24b8dbd8280","PartUuid":"00000001-0000-4000-8000-000000000000","CharacteristicUuid":"00000003-0000-4000-8000-000000000000","Kind":"tolerance","State":"raised"}]}}', 527);
INSERT INTO bus.message VALUES (19, 'a1b5ec3a-e621-421f-ab54-efd171f156d5', '{"specversion":"1.0","id":"a1b5ec3a-e621-421f-ab54-efd171f156d5","source":"/inspection","type":"EvaluationModified","time":"2026-11-28T07:34:05.596Z","subject":"00000001-0000-4000-8000-000000000000","datacontenttype":"application/json","sinebarpath":"ppump ss/","sinebarpart":"00000001-0000-4000-8000-000000000000","data":{"events":[{"Entity":"Part","Uuid":"00000001-0000-4000-8000-000000000000"}]}}', 399);
INSERT INTO bus.message VALUES (20, '2957e4b0-1f2e-4748-a952-9cb9ac127d64', '{"specversion":"1.0","id":"2957e4b0-1f2e-4748-a952-9cb9ac127d64","source":"/inspection","type":"NoteCreated","time":"2026-11-28T07:34:05.695Z","subject":"5a756a9f-dce8-4df9-b7d4-0446c9b96400","datacontenttype":"application/json","sinebarpath":"ppump ss/pwheel/","sinebarpart":"00000002-0000-4000-8000-000000000000","data":{"events":[{"NoteUuid":"5a756a9f-dce8-4df9-b7d4-0446c9b96400","PartUuid":"00000002-0000-4000-8000-000000000000","CharacteristicUuid":"00000009-0000-4000-8000-000000000000"}]}}', 497);
INSERT INTO bus.message VALUES (21, 'c64c4735-5306-4352-a64b-f9633269f8c5', '{"specversion":"1.0","id":"c64c4735-5306-4352-a64b-f9633269f8c5","source":"/inspection","type":"AlarmChanged","time":"2026-11-28T07:34:05.729Z","subject":"9ff68fc7-c445-488a-a0df-c24b8dbd8280","datacontenttype":"application/json","sinebarpath":"ppump ss/","sinebarpart":"00000001-0000-4000-8000-000000000000","data":{"events":[{"AlarmUuid":"9ff68fc7-c445-488a-a0df-c24b8dbd8280","PartUuid":"00000001-0000-4000-8000-000000000000","CharacteristicUuid":"00000003-0000-4000-8000-000000000000","Kind":"tolerance","State":"acknowledged"}]}}', 534);
INSERT INTO bus.message VALUES (22, '117c366f-e08c-4b5d-b294-21cdea417cde', '{"specversion":"1.0","id":"117c366f-e08c-4b5d-b294-21cdea417cde","source":"/inspection","type":"AlarmChanged","time":"2026-11-28T07:34:05.738Z","subject":"9ff68fc7-c445-488a-a0df-c24b8dbd8280","datacontenttype":"application/json","sinebarpath":"ppump ss/","sinebarpart":"00000001-0000-4000-8000-000000000000","data":{"events":[{"AlarmUuid":"9ff68fc7-c445-488a-a0df-c24b8dbd8280","PartUuid":"00000001-0000-4000-8000-000000000000","CharacteristicUuid":"00000003-0000-4000-8000-000000000000","Kind":"tolerance","State":"closed"}]}}', 528);
INSERT INTO bus.message VALUES (23, '207c3e4d-49a9-48e2-bb89-f315614911f8', '{"specversion":"1.0","id":"207c3e4d-49a9-48e2-bb89-f315614911f8","source":"/raw-data","type":"RawDataCreated","time":"2026-11-28T07:34:05.793Z","subject":"00000001-0000-4000-8000-000000000000","datacontenttype":"application/json","sinebarpath":"ppump ss/","sinebarpart":"00000001-0000-4000-8000-000000000000","data":{"events":[{"RawDataEntity":"Part","TargetUuid":"00000001-0000-4000-8000-000000000000","Key":0,"Filename":"note.txt"}]}}', 436);
INSERT INTO bus.message VALUES (24, '44403698-c6ef-4820-87cb-633c899959c4', '{"specversion":"1.0","id":"44403698-c6ef-4820-87cb-633c899959c4","source":"/raw-data","type":"RawDataCreated","time":"2026-11-28T07:34:05.810Z","subject":"00000001-0000-4000-8000-000000000000","datacontenttype":"application/json","sinebarpath":"ppump ss/","sinebarpart":"00000001-0000-4000-8000-000000000000","data":{"events":[{"RawDataEntity":"Part","TargetUuid":"00000001-0000-4000-8000-000000000000","Key":1,"Filename":"archive.zip"}]}}', 439);
INSERT INTO bus.message VALUES (25, '1f68f379-c519-4faf-8b36-a990de206842', '{"specversion":"1.0","id":"1f68f379-c519-4faf-8b36-a990de206842","source":"/raw-data","type":"RawDataCreated","time":"2026-11-28T07:34:05.823Z","subject":"00000006-0000-4000-8000-000000000000","datacontenttype":"application/json","sinebarpath":"ppump ss/","sinebarpart":"00000001-0000-4000-8000-000000000000","data":{"events":[{"RawDataEntity":"Measurement","TargetUuid":"00000006-0000-4000-8000-000000000000","Key":0,"Filename":"measurement.txt"}]}}', 450);
INSERT INTO bus.message VALUES (26, '5347024f-bcf6-421c-b336-f31d55c796c2', '{"specversion":"1.0","id":"5347024f-bcf6-421c-b336-f31d55c796c2","source":"/raw-data","type":"RawDataCreated","time":"2026-11-28T07:34:05.845Z","subject":"00000006-0000-4000-8000-000000000000|00000003-0000-4000-8000-000000000000","datacontenttype":"application/json","sinebarpath":"ppump ss/","sinebarpart":"00000001-0000-4000-8000-000000000000","data":{"events":[{"RawDataEntity":"Value","TargetUuid":"00000006-0000-4000-8000-000000000000|00000003-0000-4000-8000-000000000000","Key":0,"Filename":"value.txt"}]}}', 512);
INSERT INTO bus.message VALUES (27, '5a42cdef-b3f2-4259-a46a-933db99727fb', '{"specversion":"1.0","id":"5a42cdef-b3f2-4259-a46a-933db99727fb","source":"/inspection","type":"PartMoved","time":"2026-11-28T07:34:05.871Z","subject":"00000002-0000-4000-8000-000000000000","datacontenttype":"application/json","sinebarpath":"ppump ss/pimpeller/","sinebaroldpath":"ppump ss/pwheel/","sinebarpart":"00000002-0000-4000-8000-000000000000","data":{"events":[{"PartUuid":"00000002-0000-4000-8000-000000000000","FromPath":"PP:/Pump ss/Wheel/","ToPath":"PP:/Pump ss/Impeller/"}]}}', 489);
INSERT INTO bus.stream VALUES (true, 'c37cf5b2fae12eb8', 1, 27, 17133);
INSERT INTO inspection.alarm OVERRIDING SYSTEM VALUE VALUES (1, '9ff68fc7-c445-488a-a0df-c24b8dbd8280', 2, 4, 'tolerance', '', '', 'closed', 3, '2026-11-28 07:34:05.575+00', '2026-01-02 03:04:05+00', '2026-01-02 03:04:06+00', 2, 2, 0, '{"limits":{"lower":9.9,"upper":10.08}}', '', '', false, true, '', '2026-11-28 07:34:05.721+00', '', '2026-11-28 07:34:05.737+00', NULL, NULL, NULL, NULL, 'The insert was changed.');
INSERT INTO inspection.alarm_mute OVERRIDING SYSTEM VALUE VALUES (1, '0000000b-0000-4000-8000-00000000000b', 3, '2026-01-04 06:00:00+00', '2999-01-01 00:00:00+00', 'Repair', '');
INSERT INTO inspection.alarm_owner VALUES ('', '', NULL, '2026-11-28 07:34:05.751+00');
INSERT INTO inspection.alarm_point VALUES (4, 'tolerance', '', '', 1, 1);
INSERT INTO inspection.alarm_point VALUES (4, 'tolerance', '', '', 2, 1);
INSERT INTO inspection.alarm_step OVERRIDING SYSTEM VALUE VALUES (1, 1, 'raised', '2026-11-28 07:34:05.575+00', '', NULL, NULL, '');
INSERT INTO inspection.alarm_step OVERRIDING SYSTEM VALUE VALUES (2, 1, 'acknowledged', '2026-11-28 07:34:05.721+00', '', NULL, NULL, 'The insert was changed.');
INSERT INTO inspection.alarm_step OVERRIDING SYSTEM VALUE VALUES (3, 1, 'closed', '2026-11-28 07:34:05.737+00', '', NULL, NULL, 'The insert was changed.');
INSERT INTO inspection.alarm_subscription OVERRIDING SYSTEM VALUE VALUES (1, '0000000c-0000-4000-8000-00000000000c', '', '00000001-0000-4000-8000-000000000000', '{tolerance,rule}', '{"kind":"webhook","shape":"standard","url":"https://hooks.invalid/alarms"}', NULL, '{"at":["06:00","14:00"]}', '{"from":"22:00","to":"05:30"}', 'en', '2026-11-28 07:34:05.753+00', NULL);
INSERT INTO inspection.alarm_subscription_secret VALUES ('0000000c-0000-4000-8000-00000000000c', 'whsec_QXR65SrhDT5bXXg5dRkwy3BPDk1hSFUTeCun8HxVReQ=');
INSERT INTO inspection.assessment_lease VALUES (1, '5c3b63f2-c797-49da-bc89-1dc6e84df31e', '2026-11-28 07:34:07.345402+00', NULL);
INSERT INTO inspection.attribute_definition VALUES (14001, 'catalog', 'é', 'AlphaNumeric', 100, NULL);
INSERT INTO inspection.attribute_definition VALUES (1001, 'part', 'é', 'AlphaNumeric', 100, NULL);
INSERT INTO inspection.attribute_definition VALUES (2101, 'characteristic', 'é', 'Float', NULL, NULL);
INSERT INTO inspection.attribute_definition VALUES (2110, 'characteristic', 'é', 'Float', NULL, NULL);
INSERT INTO inspection.attribute_definition VALUES (2111, 'characteristic', 'é', 'Float', NULL, NULL);
INSERT INTO inspection.attribute_definition VALUES (4, 'measurement', 'é', 'DateTime', NULL, NULL);
INSERT INTO inspection.attribute_definition VALUES (14, 'measurement', 'é', 'AlphaNumeric', 100, NULL);
INSERT INTO inspection.attribute_definition VALUES (9, 'value', 'é', 'AlphaNumeric', 100, NULL);
INSERT INTO inspection.attribute_definition VALUES (1002, 'part', 'colour', 'Catalog', NULL, '00000005-0000-4000-8000-000000000000');
INSERT INTO inspection.catalog OVERRIDING SYSTEM VALUE VALUES ('00000005-0000-4000-8000-000000000000', 'colours', '{14001}', 1);
INSERT INTO inspection.catalog_entry VALUES ('00000005-0000-4000-8000-000000000000', 1, '{"14001": "red"}');
INSERT INTO inspection.catalog_entry VALUES ('00000005-0000-4000-8000-000000000000', 2, '{"14001": "grün"}');
INSERT INTO inspection.characteristic_set OVERRIDING SYSTEM VALUE VALUES (1, 2, '{4,5}', '\xc73bcaadd94985269eeafd457c9f395135874dad5536cf1f6d75c132f602a14c', false);
INSERT INTO inspection.characteristic_set OVERRIDING SYSTEM VALUE VALUES (2, 3, '{6}', '\xe7f6c011776e8db7cd330b54174fd76f7d0216b612387a5ffcfb81e6f0919683', false);
INSERT INTO inspection.evaluation VALUES (6, 1, '{"model": "normal", "rules": ["nelson1", "nelson2:7"], "subgroups": {"size": 5}}');
INSERT INTO inspection.evaluation VALUES (2, 1, '{"required": 1.5}');
INSERT INTO inspection.evaluation_exclusion VALUES (6, 7, 'dropped part', '', '2026-11-28 07:34:05.556+00');
INSERT INTO inspection.evaluation_history VALUES (6, 1, '2026-11-28 07:34:05.56+00', '', 'agreed with the line', '{"model": "normal", "rules": ["nelson1", "nelson2:7"], "subgroups": {"size": 5}, "exclusions": [{"time": "2026-11-28T07:34:05.556Z", "reason": "dropped part", "measurementUuid": "00000100-0000-4000-8000-000000000003"}]}');
INSERT INTO inspection.evaluation_history VALUES (2, 1, '2026-11-28 07:34:05.591+00', '', 'asked by the customer', '{"required": 1.5}');
INSERT INTO inspection.figure_state VALUES (1, NULL, '2026-11-28 07:34:05.139509+00');
INSERT INTO inspection.kept_assessment VALUES (2, '\x0400000005000000', '\x00000000000000400000000000001040000000000000f87f000000000000f87f000000000000f87f000000000000f87f000000000000f87f000000000000f87f000000000000f87f000000000000f87f0000000000000040000000000000000000e0e83511227a4200e0e83511227a4200e0e83511227a4200e0e83511227a4200000000000000400000000000001040c07bdc82a92ed94200972a411c81e4420000000000000040000000000000f03f0000000000001540e1639d31956ae5430000000000904b4000000000000000000000000000002540000000000000000000000799cab779420080c898cab779420000000000000040000000000000f03f');
INSERT INTO inspection.kept_assessment VALUES (3, '\x06000000', '\x0000000000000040000000000000f87f000000000000f87f000000000000f87f000000000000f87f00000000000000000050ee3511227a420050ee3511227a420000000000000000207882314f54ea420000000000003d40ede0f73a75e4234090d22e41dd0b983fd81e85eb51b8f23f00000e962fb879420000000000804040');
INSERT INTO inspection.kept_figures VALUES (2, '\x0400000005000000', '\x0000000000000040000000000000f03f0000000000001540e1639d31956ae5430000000000904b4000000000000000000000000000000080e1639d31956ae54300000799cab779420080c898cab779420000000000000040000000000000f03f0000000000000000000000000000f03f00000000000025400000000000000000000000000000f03f00000000000000000000000000000080000000000000f87f0000000000002540e1639d31956ae54300000000000000000000000000000000', NULL, NULL, NULL);
INSERT INTO inspection.kept_figures VALUES (3, '\x06000000', '\x0000000000003d40ede0f73a75e4234090d22e41dd0b983f5c8fc2f528dc234000000e962fb8794200000000008040400000000000000000d81e85eb51b8f23f0000000000003c405c8fc2f528dc2340cdcccccccccc2340000000000010c63c', NULL, NULL, NULL);
INSERT INTO inspection.kept_limits VALUES (4, '{"basis":110752812462575,"points":2,"control":{"type":"individuals","chart":{"sigma":9.308510638297873,"degreesOfFreedom":1,"location":{"centerLine":5.25,"lower":-22.675531914893618,"upper":33.17553191489362},"variation":{"centerLine":10.5,"lower":0,"upper":34.3035}}}}');
INSERT INTO inspection.kept_limits VALUES (5, '{"basis":180358058955960,"points":0}');
INSERT INTO inspection.kept_limits VALUES (6, '{"basis":231595265758145,"points":6,"control":{"type":"groups","chart":{"type":"xbarR","sigmaMethod":"rbar","sigma":0.03273817766355653,"degreesOfFreedom":20.700000000000003,"centerLine":9.946206896551724},"subgroupSize":5},"groupStart":4}');
INSERT INTO inspection.kept_model VALUES (4, '{"basis":"UAExAMKW51EiIzOk","request":"auto","fittedAt":"2026-11-28T07:34:07.246Z","model":{"candidates":[],"isCompared":false,"notes":[],"count":2},"stable":"unknown"}');
INSERT INTO inspection.kept_model VALUES (5, '{"basis":"k665ec6A5CjMe-J5","request":"auto","fittedAt":"2026-11-28T07:34:07.246Z","model":{"candidates":[],"isCompared":false,"notes":[],"count":1},"stable":"unknown"}');
INSERT INTO inspection.kept_model VALUES (6, '{"basis":"XTqguI04YMBN-deY","request":"normal","fittedAt":"2026-11-28T07:34:07.333Z","model":{"fit":{"name":"normal","parameters":{"location":9.9470923976371,"scale":0.02950580231818542},"logLikelihood":61.53148871485323,"aicc":-118.601438968168,"thresholdOrigin":"none"},"candidates":[],"isCompared":false,"notes":[],"count":29},"stable":"unknown"}');
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (1, '00000006-0000-4000-8000-000000000000', 2, '2026-01-02 03:04:05+00', '2026-11-28 07:34:05.501+00', '2026-11-28 07:34:05.501+00', 1, false, '{"4": "2026-01-02T03:04:05Z", "14": "batch"}', NULL, '{10.5,1.2345678901234567e+19}', '\x02fe', '{"4": {"9": "by hand"}, "5": {"1": "12345678901234567890"}}', 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (2, '00000007-0000-4000-8000-000000000000', 2, '2026-01-02 03:04:06+00', '2026-11-28 07:34:05.501+00', '2026-11-28 07:34:05.501+00', 1, false, '{"4": "2026-01-02T03:04:06Z"}', NULL, '{-0,NULL}', NULL, NULL, 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (3, '00000008-0000-4000-8000-000000000000', 2, '2026-01-02 03:04:07+00', '2026-11-28 07:34:05.519+00', '2026-11-28 07:34:05.519+00', NULL, false, '{"4": "2026-01-02T03:04:07Z", "14": "no values"}', NULL, NULL, NULL, NULL, 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (4, '00000100-0000-4000-8000-000000000000', 3, '2026-01-03 08:00:00+00', '2026-11-28 07:34:05.529+00', '2026-11-28 07:34:05.529+00', 2, false, '{"4": "2026-01-03T08:00:00.000Z"}', NULL, '{9.9}', '\x15', NULL, 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (5, '00000100-0000-4000-8000-000000000001', 3, '2026-01-03 08:01:00+00', '2026-11-28 07:34:05.529+00', '2026-11-28 07:34:05.529+00', 2, false, '{"4": "2026-01-03T08:01:00.000Z"}', NULL, '{9.97}', '\xfe', '{"6": {"1": "9.970000000000000000001"}}', 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (6, '00000100-0000-4000-8000-000000000002', 3, '2026-01-03 08:02:00+00', '2026-11-28 07:34:05.529+00', '2026-11-28 07:34:05.529+00', 2, false, '{"4": "2026-01-03T08:02:00.000Z"}', NULL, '{9.94}', '\xfe', '{"6": {"1": "9.940000000000000000002"}}', 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (7, '00000100-0000-4000-8000-000000000003', 3, '2026-01-03 08:03:00+00', '2026-11-28 07:34:05.529+00', '2026-11-28 07:34:05.529+00', 2, false, '{"4": "2026-01-03T08:03:00.000Z"}', NULL, '{9.91}', '\xfe', '{"6": {"1": "9.910000000000000000003"}}', 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (8, '00000100-0000-4000-8000-000000000004', 3, '2026-01-03 08:04:00+00', '2026-11-28 07:34:05.529+00', '2026-11-28 07:34:05.529+00', 2, false, '{"4": "2026-01-03T08:04:00.000Z"}', NULL, '{9.98}', '\xfe', '{"6": {"1": "9.980000000000000000004"}}', 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (9, '00000100-0000-4000-8000-000000000005', 3, '2026-01-03 08:05:00+00', '2026-11-28 07:34:05.529+00', '2026-11-28 07:34:05.529+00', 2, false, '{"4": "2026-01-03T08:05:00.000Z"}', NULL, '{9.95}', '\xfe', '{"6": {"1": "9.950000000000000000005"}}', 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (10, '00000100-0000-4000-8000-000000000006', 3, '2026-01-03 08:06:00+00', '2026-11-28 07:34:05.529+00', '2026-11-28 07:34:05.529+00', 2, false, '{"4": "2026-01-03T08:06:00.000Z"}', NULL, '{9.92}', '\xfe', '{"6": {"1": "9.920000000000000000006"}}', 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (11, '00000100-0000-4000-8000-000000000007', 3, '2026-01-03 08:07:00+00', '2026-11-28 07:34:05.529+00', '2026-11-28 07:34:05.529+00', 2, false, '{"4": "2026-01-03T08:07:00.000Z"}', NULL, '{9.99}', '\xfe', '{"6": {"1": "9.990000000000000000007"}}', 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (12, '00000100-0000-4000-8000-000000000008', 3, '2026-01-03 08:08:00+00', '2026-11-28 07:34:05.529+00', '2026-11-28 07:34:05.529+00', 2, false, '{"4": "2026-01-03T08:08:00.000Z"}', NULL, '{9.96}', '\xfe', '{"6": {"1": "9.960000000000000000008"}}', 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (13, '00000100-0000-4000-8000-000000000009', 3, '2026-01-03 08:09:00+00', '2026-11-28 07:34:05.529+00', '2026-11-28 07:34:05.529+00', 2, false, '{"4": "2026-01-03T08:09:00.000Z"}', NULL, '{9.93}', '\xfe', '{"6": {"1": "9.930000000000000000009"}}', 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (14, '00000100-0000-4000-8000-000000000010', 3, '2026-01-03 08:10:00+00', '2026-11-28 07:34:05.529+00', '2026-11-28 07:34:05.529+00', 2, false, '{"4": "2026-01-03T08:10:00.000Z"}', NULL, '{9.9}', '\x15', NULL, 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (15, '00000100-0000-4000-8000-000000000011', 3, '2026-01-03 08:11:00+00', '2026-11-28 07:34:05.529+00', '2026-11-28 07:34:05.529+00', 2, false, '{"4": "2026-01-03T08:11:00.000Z"}', NULL, '{9.97}', '\xfe', '{"6": {"1": "9.970000000000000000001"}}', 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (16, '00000100-0000-4000-8000-000000000012', 3, '2026-01-03 08:12:00+00', '2026-11-28 07:34:05.529+00', '2026-11-28 07:34:05.529+00', 2, false, '{"4": "2026-01-03T08:12:00.000Z"}', NULL, '{9.94}', '\xfe', '{"6": {"1": "9.940000000000000000002"}}', 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (17, '00000100-0000-4000-8000-000000000013', 3, '2026-01-03 08:13:00+00', '2026-11-28 07:34:05.529+00', '2026-11-28 07:34:05.529+00', 2, false, '{"4": "2026-01-03T08:13:00.000Z"}', NULL, '{9.91}', '\xfe', '{"6": {"1": "9.910000000000000000003"}}', 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (18, '00000100-0000-4000-8000-000000000014', 3, '2026-01-03 08:14:00+00', '2026-11-28 07:34:05.529+00', '2026-11-28 07:34:05.529+00', 2, false, '{"4": "2026-01-03T08:14:00.000Z"}', NULL, '{9.98}', '\xfe', '{"6": {"1": "9.980000000000000000004"}}', 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (19, '00000100-0000-4000-8000-000000000015', 3, '2026-01-03 08:15:00+00', '2026-11-28 07:34:05.529+00', '2026-11-28 07:34:05.529+00', 2, false, '{"4": "2026-01-03T08:15:00.000Z"}', NULL, '{9.95}', '\xfe', '{"6": {"1": "9.950000000000000000005"}}', 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (20, '00000100-0000-4000-8000-000000000016', 3, '2026-01-03 08:16:00+00', '2026-11-28 07:34:05.529+00', '2026-11-28 07:34:05.529+00', 2, false, '{"4": "2026-01-03T08:16:00.000Z"}', NULL, '{9.92}', '\xfe', '{"6": {"1": "9.920000000000000000006"}}', 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (21, '00000100-0000-4000-8000-000000000017', 3, '2026-01-03 08:17:00+00', '2026-11-28 07:34:05.529+00', '2026-11-28 07:34:05.529+00', 2, false, '{"4": "2026-01-03T08:17:00.000Z"}', NULL, '{9.99}', '\xfe', '{"6": {"1": "9.990000000000000000007"}}', 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (22, '00000100-0000-4000-8000-000000000018', 3, '2026-01-03 08:18:00+00', '2026-11-28 07:34:05.529+00', '2026-11-28 07:34:05.529+00', 2, false, '{"4": "2026-01-03T08:18:00.000Z"}', NULL, '{9.96}', '\xfe', '{"6": {"1": "9.960000000000000000008"}}', 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (23, '00000100-0000-4000-8000-000000000019', 3, '2026-01-03 08:19:00+00', '2026-11-28 07:34:05.529+00', '2026-11-28 07:34:05.529+00', 2, false, '{"4": "2026-01-03T08:19:00.000Z"}', NULL, '{9.93}', '\xfe', '{"6": {"1": "9.930000000000000000009"}}', 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (24, '00000100-0000-4000-8000-000000000020', 3, '2026-01-03 08:20:00+00', '2026-11-28 07:34:05.529+00', '2026-11-28 07:34:05.529+00', 2, false, '{"4": "2026-01-03T08:20:00.000Z"}', NULL, '{9.9}', '\x15', NULL, 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (25, '00000100-0000-4000-8000-000000000021', 3, '2026-01-03 08:21:00+00', '2026-11-28 07:34:05.529+00', '2026-11-28 07:34:05.529+00', 2, false, '{"4": "2026-01-03T08:21:00.000Z"}', NULL, '{9.97}', '\xfe', '{"6": {"1": "9.970000000000000000001"}}', 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (26, '00000100-0000-4000-8000-000000000022', 3, '2026-01-03 08:22:00+00', '2026-11-28 07:34:05.529+00', '2026-11-28 07:34:05.529+00', 2, false, '{"4": "2026-01-03T08:22:00.000Z"}', NULL, '{9.94}', '\xfe', '{"6": {"1": "9.940000000000000000002"}}', 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (27, '00000100-0000-4000-8000-000000000023', 3, '2026-01-03 08:23:00+00', '2026-11-28 07:34:05.529+00', '2026-11-28 07:34:05.529+00', 2, false, '{"4": "2026-01-03T08:23:00.000Z"}', NULL, '{9.91}', '\xfe', '{"6": {"1": "9.910000000000000000003"}}', 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (28, '00000100-0000-4000-8000-000000000024', 3, '2026-01-03 08:24:00+00', '2026-11-28 07:34:05.529+00', '2026-11-28 07:34:05.529+00', 2, false, '{"4": "2026-01-03T08:24:00.000Z"}', NULL, '{9.98}', '\xfe', '{"6": {"1": "9.980000000000000000004"}}', 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (29, '00000100-0000-4000-8000-000000000025', 3, '2026-01-03 08:25:00+00', '2026-11-28 07:34:05.529+00', '2026-11-28 07:34:05.529+00', 2, false, '{"4": "2026-01-03T08:25:00.000Z"}', NULL, '{9.95}', '\xfe', '{"6": {"1": "9.950000000000000000005"}}', 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (30, '00000100-0000-4000-8000-000000000026', 3, '2026-01-03 08:26:00+00', '2026-11-28 07:34:05.529+00', '2026-11-28 07:34:05.529+00', 2, false, '{"4": "2026-01-03T08:26:00.000Z"}', NULL, '{9.92}', '\xfe', '{"6": {"1": "9.920000000000000000006"}}', 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (31, '00000100-0000-4000-8000-000000000027', 3, '2026-01-03 08:27:00+00', '2026-11-28 07:34:05.529+00', '2026-11-28 07:34:05.529+00', 2, false, '{"4": "2026-01-03T08:27:00.000Z"}', NULL, '{9.99}', '\xfe', '{"6": {"1": "9.990000000000000000007"}}', 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (32, '00000100-0000-4000-8000-000000000028', 3, '2026-01-03 08:28:00+00', '2026-11-28 07:34:05.529+00', '2026-11-28 07:34:05.529+00', 2, false, '{"4": "2026-01-03T08:28:00.000Z"}', NULL, '{9.96}', '\xfe', '{"6": {"1": "9.960000000000000000008"}}', 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (33, '00000100-0000-4000-8000-000000000029', 3, '2026-01-03 08:29:00+00', '2026-11-28 07:34:05.529+00', '2026-11-28 07:34:05.529+00', 2, false, '{"4": "2026-01-03T08:29:00.000Z"}', NULL, '{9.93}', '\xfe', '{"6": {"1": "9.930000000000000000009"}}', 0);
INSERT INTO inspection.note OVERRIDING SYSTEM VALUE VALUES (1, '5a756a9f-dce8-4df9-b7d4-0446c9b96400', 6, 7, NULL, NULL, 'The part was dropped.', NULL, NULL, '', '2026-11-28 07:34:05.686+00', '', NULL);
INSERT INTO inspection.plan_item VALUES (1, '00000000-0000-0000-0000-000000000000', 'part', NULL, 1, '', '', '', '/', 0, '{}', NULL, 0, 0, '2026-11-28 07:34:04.215+00', '2026-11-28 07:34:04.215+00', DEFAULT, DEFAULT, DEFAULT, DEFAULT);
INSERT INTO inspection.plan_item VALUES (4, '00000003-0000-4000-8000-000000000000', 'characteristic', 2, 2, 'Diameter', 'diameter', 'ppump ss/cdiameter/', 'PC:/Pump ss/Diameter/', 2, '{"2101": "10", "2110": "9.9", "2111": "10.08"}', NULL, 1, 1, '2026-11-28 07:34:05.482+00', '2026-11-28 07:34:05.482+00', DEFAULT, DEFAULT, DEFAULT, DEFAULT);
INSERT INTO inspection.plan_item VALUES (5, '00000004-0000-4000-8000-000000000000', 'characteristic', 4, 2, 'Form', 'form', 'ppump ss/cdiameter/cform/', 'PCC:/Pump ss/Diameter/Form/', 3, '{}', NULL, 1, 1, '2026-11-28 07:34:05.482+00', '2026-11-28 07:34:05.482+00', DEFAULT, DEFAULT, DEFAULT, DEFAULT);
INSERT INTO inspection.plan_item VALUES (2, '00000001-0000-4000-8000-000000000000', 'part', 1, 2, 'Pump ss', 'pump ss', 'ppump ss/', 'P:/Pump ss/', 1, '{"1001": "old", "1002": "2"}', NULL, 0, 1, '2026-11-28 07:34:05.468+00', '2026-11-28 07:34:05.482+00', DEFAULT, DEFAULT, DEFAULT, DEFAULT);
INSERT INTO inspection.plan_item VALUES (6, '00000009-0000-4000-8000-000000000000', 'characteristic', 3, 3, 'Bore', 'bore', 'ppump ss/pimpeller/cbore/', 'PPC:/Pump ss/Impeller/Bore/', 3, '{"2101": "10", "2110": "9.9", "2111": "10.08"}', NULL, 1, 2, '2026-11-28 07:34:05.482+00', '2026-11-28 07:34:05.482+00', DEFAULT, DEFAULT, DEFAULT, DEFAULT);
INSERT INTO inspection.plan_item VALUES (3, '00000002-0000-4000-8000-000000000000', 'part', 2, 3, 'Impeller', 'impeller', 'ppump ss/pimpeller/', 'PP:/Pump ss/Impeller/', 2, '{}', NULL, 2, 2, '2026-11-28 07:34:05.851+00', '2026-11-28 07:34:05.482+00', DEFAULT, DEFAULT, DEFAULT, DEFAULT);
INSERT INTO inspection.plant_settings VALUES (1, '2026-11-28 07:34:05.677+00', '', 'a second plant', '{"zone": "Europe/Berlin", "shifts": [{"to": "14:00", "from": "06:00", "name": "early"}], "required": 1.67}');
INSERT INTO inspection.saved_view VALUES ('0000000a-0000-4000-8000-00000000000a', '', '', '2026-11-28 07:34:05.761+00', 'Worst', '/console/parts/00000001-0000-4000-8000-000000000000?order=ppk', true);
INSERT INTO inspection.schema_migration VALUES (1, '0001-outbox', '2026-11-28 07:34:04.208937+00');
INSERT INTO inspection.schema_migration VALUES (2, '0002-inspection-plan', '2026-11-28 07:34:04.214678+00');
INSERT INTO inspection.schema_migration VALUES (3, '0003-configuration', '2026-11-28 07:34:04.255532+00');
INSERT INTO inspection.schema_migration VALUES (4, '0004-plan-history', '2026-11-28 07:34:04.290895+00');
INSERT INTO inspection.schema_migration VALUES (5, '0005-measurements', '2026-11-28 07:34:04.307496+00');
INSERT INTO inspection.schema_migration VALUES (6, '0006-pending-operations', '2026-11-28 07:34:04.378319+00');
INSERT INTO inspection.schema_migration VALUES (7, '0007-values-version', '2026-11-28 07:34:04.411504+00');
INSERT INTO inspection.schema_migration VALUES (9, '0009-imports', '2026-11-28 07:34:04.414148+00');
INSERT INTO inspection.schema_migration VALUES (10, '0010-kept-figures', '2026-11-28 07:34:04.41886+00');
INSERT INTO inspection.schema_migration VALUES (11, '0011-import-operations', '2026-11-28 07:34:04.436+00');
INSERT INTO inspection.schema_migration VALUES (12, '0012-aggregations', '2026-11-28 07:34:04.456137+00');
INSERT INTO inspection.schema_migration VALUES (13, '0013-import-states', '2026-11-28 07:34:04.45896+00');
INSERT INTO inspection.schema_migration VALUES (14, '0014-evaluations', '2026-11-28 07:34:04.466249+00');
INSERT INTO inspection.schema_migration VALUES (15, '0015-plant-settings', '2026-11-28 07:34:04.481676+00');
INSERT INTO inspection.schema_migration VALUES (16, '0016-notes', '2026-11-28 07:34:04.486557+00');
INSERT INTO inspection.schema_migration VALUES (17, '0017-kept-assessments', '2026-11-28 07:34:04.50211+00');
INSERT INTO inspection.schema_migration VALUES (18, '0018-saved-views', '2026-11-28 07:34:04.53927+00');
INSERT INTO inspection.schema_migration VALUES (19, '0019-table-mappings', '2026-11-28 07:34:04.550171+00');
INSERT INTO inspection.schema_migration VALUES (20, '0020-alarms', '2026-11-28 07:34:04.558205+00');
INSERT INTO inspection.schema_migration VALUES (21, '0021-alarm-subscriptions', '2026-11-28 07:34:04.61223+00');
INSERT INTO inspection.schema_migration VALUES (22, '0022-reports', '2026-11-28 07:34:04.663556+00');
INSERT INTO inspection.schema_migration VALUES (23, '0023-first-articles', '2026-11-28 07:34:04.695524+00');
INSERT INTO inspection.schema_version VALUES (true, 23, 0);
INSERT INTO inspection.server_state VALUES (1, 2, '2026-11-28 07:34:05.851+00', '2026-11-28 07:34:04.215+00', '2026-11-28 07:34:05.462+00', '2026-11-28 07:34:05.456+00', 9, 1);
INSERT INTO inspection.statistics VALUES (1, 1, 0, 0, 0);
INSERT INTO inspection.status_change OVERRIDING SYSTEM VALUE VALUES (1, 4, '2026-01-02 03:04:05+00', 1, 'now', 'noData', 'aboveTolerance');
INSERT INTO inspection.status_change OVERRIDING SYSTEM VALUE VALUES (2, 4, '2026-01-02 03:04:06+00', 2, 'now', 'aboveTolerance', 'belowTolerance');
INSERT INTO inspection.status_change OVERRIDING SYSTEM VALUE VALUES (3, 4, '2026-01-02 03:04:06+00', 2, 'process', 'unknown', 'notCapable');
INSERT INTO inspection.status_change OVERRIDING SYSTEM VALUE VALUES (4, 5, '2026-01-02 03:04:05+00', 1, 'now', 'noData', 'noLimits');
INSERT INTO inspection.status_change OVERRIDING SYSTEM VALUE VALUES (5, 6, '2026-01-03 08:29:00+00', 33, 'process', 'unknown', 'notCapable');
INSERT INTO inspection.table_mapping VALUES ('gauge 7', '{"columns":{"Zeit":{"is":"time"},"D1":{"is":"value","characteristic":"Bore"}},"part":"Shaft","decimal":","}', '', '2026-11-28 07:34:05.768+00');
INSERT INTO raw_data.follow_position VALUES (true, 'c37cf5b2fae12eb8', 27, 1);
INSERT INTO raw_data.part VALUES ('00000000-0000-0000-0000-000000000000', '', 1, '802');
INSERT INTO raw_data.part VALUES ('00000001-0000-4000-8000-000000000000', 'ppump ss/', 0, '836');
INSERT INTO raw_data.part VALUES ('00000002-0000-4000-8000-000000000000', 'ppump ss/pimpeller/', 0, '890');
INSERT INTO raw_data.raw_data_object OVERRIDING SYSTEM VALUE VALUES (1, 'Part', '00000001-0000-4000-8000-000000000000', '00000000-0000-0000-0000-000000000000', '00000001-0000-4000-8000-000000000000', 0, 'note.txt', 'text/plain', 30, '\x15d4bcd464fdac20b793aec4722605b7', '2026-11-28 07:34:05.791+00', '2026-11-28 07:34:05.791+00', '2330c4b4-ae4e-450e-b8c1-041c1f4d4dfc', '2', NULL);
INSERT INTO raw_data.raw_data_object OVERRIDING SYSTEM VALUE VALUES (2, 'Part', '00000001-0000-4000-8000-000000000000', '00000000-0000-0000-0000-000000000000', '00000001-0000-4000-8000-000000000000', 1, 'archive.zip', 'text/plain', 124, '\xfc7b193f277714aab4dc318f375213ec', '2026-11-28 07:34:05.809+00', '2026-11-28 07:34:05.809+00', '0150f229-a6a3-4f5c-bff6-20f91bfebb09', '2', NULL);
INSERT INTO raw_data.raw_data_object OVERRIDING SYSTEM VALUE VALUES (3, 'Measurement', '00000006-0000-4000-8000-000000000000', '00000000-0000-0000-0000-000000000000', '00000001-0000-4000-8000-000000000000', 0, 'measurement.txt', 'text/plain', 25, '\x3f18a3607be48fed45331510fd7fa7db', '2026-11-28 07:34:05.823+00', '2026-11-28 07:34:05.823+00', 'abea9834-e97b-4bd8-b15d-e3eb8a3b7780', '1', NULL);
INSERT INTO raw_data.raw_data_object OVERRIDING SYSTEM VALUE VALUES (4, 'Value', '00000006-0000-4000-8000-000000000000', '00000003-0000-4000-8000-000000000000', '00000001-0000-4000-8000-000000000000', 0, 'value.txt', 'text/plain', 19, '\x12244d5139e2ec87fc794e33fcdadff3', '2026-11-28 07:34:05.844+00', '2026-11-28 07:34:05.844+00', '6f9c3d4c-72f8-45ed-9a0d-b14696cc7bb9', '1.4', 0);
INSERT INTO raw_data.schema_migration VALUES (1, '0001-outbox', '2026-11-28 07:34:04.781334+00');
INSERT INTO raw_data.schema_migration VALUES (2, '0002-raw-data', '2026-11-28 07:34:04.791603+00');
INSERT INTO raw_data.schema_migration VALUES (3, '0003-part-mirror', '2026-11-28 07:34:04.825802+00');
INSERT INTO raw_data.schema_migration VALUES (4, '0004-value-files', '2026-11-28 07:34:04.863529+00');
INSERT INTO raw_data.schema_migration VALUES (5, '0005-thumbnails-and-filters', '2026-11-28 07:34:04.999584+00');
INSERT INTO raw_data.schema_migration VALUES (6, '0006-target-versions', '2026-11-28 07:34:05.003516+00');
INSERT INTO raw_data.schema_migration VALUES (7, '0007-part-revisions', '2026-11-28 07:34:05.007482+00');
INSERT INTO raw_data.schema_version VALUES (true, 7, 0);
INSERT INTO raw_data.sweep_run VALUES (true, '2026-11-28 07:34:05.152315+00');
SELECT pg_catalog.setval('inspection.alarm_change_id_seq', 4, true);
SELECT pg_catalog.setval('inspection.alarm_delivery_id_seq', 1, false);
SELECT pg_catalog.setval('inspection.alarm_id_seq', 1, true);
SELECT pg_catalog.setval('inspection.alarm_mute_id_seq', 1, true);
SELECT pg_catalog.setval('inspection.alarm_notice_id_seq', 2, true);
SELECT pg_catalog.setval('inspection.alarm_step_id_seq', 3, true);
SELECT pg_catalog.setval('inspection.alarm_subscription_id_seq', 1, true);
SELECT pg_catalog.setval('inspection.assessment_change_id_seq', 8, true);
SELECT pg_catalog.setval('inspection.catalog_position_seq', 1, true);
SELECT pg_catalog.setval('inspection.characteristic_set_id_seq', 2, true);
SELECT pg_catalog.setval('inspection.figure_change_id_seq', 4, true);
SELECT pg_catalog.setval('inspection.measurement_id_seq', 33, true);
SELECT pg_catalog.setval('inspection.note_id_seq', 1, true);
SELECT pg_catalog.setval('inspection.outbox_id_seq', 23, true);
SELECT pg_catalog.setval('inspection.plan_item_history_sequence_seq', 1, false);
SELECT pg_catalog.setval('inspection.plan_item_id', 6, true);
SELECT pg_catalog.setval('inspection.report_id_seq', 1, false);
SELECT pg_catalog.setval('inspection.status_change_id_seq', 5, true);
SELECT pg_catalog.setval('raw_data.outbox_id_seq', 4, true);
SELECT pg_catalog.setval('raw_data.raw_data_object_id_seq', 4, true);
ALTER TABLE ONLY bus.message
    ADD CONSTRAINT message_id_key UNIQUE (id);
ALTER TABLE ONLY bus.message
    ADD CONSTRAINT message_pkey PRIMARY KEY (sequence);
ALTER TABLE ONLY bus.stream
    ADD CONSTRAINT stream_pkey PRIMARY KEY (single);
ALTER TABLE ONLY inspection.alarm_change
    ADD CONSTRAINT alarm_change_pkey PRIMARY KEY (id);
ALTER TABLE ONLY inspection.alarm_delivery
    ADD CONSTRAINT alarm_delivery_pkey PRIMARY KEY (id);
ALTER TABLE ONLY inspection.alarm_delivery
    ADD CONSTRAINT alarm_delivery_uuid_key UNIQUE (uuid);
ALTER TABLE ONLY inspection.alarm_due
    ADD CONSTRAINT alarm_due_pkey PRIMARY KEY (subscription_id, alarm_id);
ALTER TABLE ONLY inspection.alarm_mute
    ADD CONSTRAINT alarm_mute_pkey PRIMARY KEY (id);
ALTER TABLE ONLY inspection.alarm_mute
    ADD CONSTRAINT alarm_mute_uuid_key UNIQUE (uuid);
ALTER TABLE ONLY inspection.alarm_notice
    ADD CONSTRAINT alarm_notice_pkey PRIMARY KEY (id);
ALTER TABLE ONLY inspection.alarm_owner
    ADD CONSTRAINT alarm_owner_pkey PRIMARY KEY (user_key);
ALTER TABLE ONLY inspection.alarm
    ADD CONSTRAINT alarm_pkey PRIMARY KEY (id);
ALTER TABLE ONLY inspection.alarm_point
    ADD CONSTRAINT alarm_point_pkey PRIMARY KEY (characteristic_id, kind, rule, chart, measurement_id);
ALTER TABLE ONLY inspection.alarm_step
    ADD CONSTRAINT alarm_step_pkey PRIMARY KEY (id);
ALTER TABLE ONLY inspection.alarm_subscription
    ADD CONSTRAINT alarm_subscription_pkey PRIMARY KEY (id);
ALTER TABLE ONLY inspection.alarm_subscription_secret
    ADD CONSTRAINT alarm_subscription_secret_pkey PRIMARY KEY (subscription_uuid);
ALTER TABLE ONLY inspection.alarm_subscription
    ADD CONSTRAINT alarm_subscription_uuid_key UNIQUE (uuid);
ALTER TABLE ONLY inspection.alarm
    ADD CONSTRAINT alarm_uuid_key UNIQUE (uuid);
ALTER TABLE ONLY inspection.assessment_change
    ADD CONSTRAINT assessment_change_pkey PRIMARY KEY (id);
ALTER TABLE ONLY inspection.assessment_lease
    ADD CONSTRAINT assessment_lease_pkey PRIMARY KEY (id);
ALTER TABLE ONLY inspection.attribute_definition
    ADD CONSTRAINT attribute_definition_pkey PRIMARY KEY (key);
ALTER TABLE ONLY inspection.attribute_purge
    ADD CONSTRAINT attribute_purge_pkey PRIMARY KEY (entity, key);
ALTER TABLE ONLY inspection.catalog_entry
    ADD CONSTRAINT catalog_entry_pkey PRIMARY KEY (catalog, key);
ALTER TABLE ONLY inspection.catalog
    ADD CONSTRAINT catalog_pkey PRIMARY KEY (uuid);
ALTER TABLE ONLY inspection.characteristic_set
    ADD CONSTRAINT characteristic_set_part_id_hash_key UNIQUE (part_id, hash);
ALTER TABLE ONLY inspection.characteristic_set
    ADD CONSTRAINT characteristic_set_pkey PRIMARY KEY (id);
ALTER TABLE ONLY inspection.evaluation_exclusion
    ADD CONSTRAINT evaluation_exclusion_pkey PRIMARY KEY (item_id, measurement_id);
ALTER TABLE ONLY inspection.evaluation_history
    ADD CONSTRAINT evaluation_history_pkey PRIMARY KEY (item_id, revision);
ALTER TABLE ONLY inspection.evaluation
    ADD CONSTRAINT evaluation_pkey PRIMARY KEY (item_id);
ALTER TABLE ONLY inspection.figure_change
    ADD CONSTRAINT figure_change_pkey PRIMARY KEY (id);
ALTER TABLE ONLY inspection.figure_state
    ADD CONSTRAINT figure_state_pkey PRIMARY KEY (id);
ALTER TABLE ONLY inspection.file_import
    ADD CONSTRAINT file_import_pkey PRIMARY KEY (md5, place);
ALTER TABLE ONLY inspection.first_article
    ADD CONSTRAINT first_article_pkey PRIMARY KEY (part_id);
ALTER TABLE ONLY inspection.import_operation
    ADD CONSTRAINT import_operation_pkey PRIMARY KEY (uuid);
ALTER TABLE ONLY inspection.kept_assessment
    ADD CONSTRAINT kept_assessment_pkey PRIMARY KEY (part_id);
ALTER TABLE ONLY inspection.kept_figures
    ADD CONSTRAINT kept_figures_pkey PRIMARY KEY (part_id);
ALTER TABLE ONLY inspection.kept_limits
    ADD CONSTRAINT kept_limits_pkey PRIMARY KEY (characteristic_id);
ALTER TABLE ONLY inspection.kept_model
    ADD CONSTRAINT kept_model_pkey PRIMARY KEY (characteristic_id);
ALTER TABLE ONLY inspection.measurement
    ADD CONSTRAINT measurement_pkey PRIMARY KEY (id);
ALTER TABLE ONLY inspection.measurement
    ADD CONSTRAINT measurement_uuid_key UNIQUE (uuid);
ALTER TABLE ONLY inspection.note
    ADD CONSTRAINT note_pkey PRIMARY KEY (id);
ALTER TABLE ONLY inspection.note
    ADD CONSTRAINT note_uuid_key UNIQUE (uuid);
ALTER TABLE ONLY inspection.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY inspection.pending_operation_item
    ADD CONSTRAINT pending_operation_item_pkey PRIMARY KEY (operation, measurement_id);
ALTER TABLE ONLY inspection.pending_operation
    ADD CONSTRAINT pending_operation_pkey PRIMARY KEY (uuid);
ALTER TABLE ONLY inspection.plan_item_history
    ADD CONSTRAINT plan_item_history_pkey PRIMARY KEY (sequence);
ALTER TABLE ONLY inspection.plan_item
    ADD CONSTRAINT plan_item_pkey PRIMARY KEY (id);
ALTER TABLE ONLY inspection.plan_item
    ADD CONSTRAINT plan_item_sibling_name UNIQUE (parent_id, kind, folded_name) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY inspection.plant_settings
    ADD CONSTRAINT plant_settings_pkey PRIMARY KEY (revision);
ALTER TABLE ONLY inspection.report_content
    ADD CONSTRAINT report_content_pkey PRIMARY KEY (report_uuid, "position");
ALTER TABLE ONLY inspection.report
    ADD CONSTRAINT report_pkey PRIMARY KEY (id);
ALTER TABLE ONLY inspection.report
    ADD CONSTRAINT report_uuid_key UNIQUE (uuid);
ALTER TABLE ONLY inspection.saved_view
    ADD CONSTRAINT saved_view_pkey PRIMARY KEY (uuid);
ALTER TABLE ONLY inspection.schema_migration
    ADD CONSTRAINT schema_migration_name_key UNIQUE (name);
ALTER TABLE ONLY inspection.schema_migration
    ADD CONSTRAINT schema_migration_pkey PRIMARY KEY (number);
ALTER TABLE ONLY inspection.schema_version
    ADD CONSTRAINT schema_version_pkey PRIMARY KEY (only_row);
ALTER TABLE ONLY inspection.server_state
    ADD CONSTRAINT server_state_pkey PRIMARY KEY (id);
ALTER TABLE ONLY inspection.statistics
    ADD CONSTRAINT statistics_pkey PRIMARY KEY (id);
ALTER TABLE ONLY inspection.status_change
    ADD CONSTRAINT status_change_pkey PRIMARY KEY (id);
ALTER TABLE ONLY inspection.table_mapping
    ADD CONSTRAINT table_mapping_pkey PRIMARY KEY (name);
ALTER TABLE ONLY raw_data.blob_removal
    ADD CONSTRAINT blob_removal_pkey PRIMARY KEY (object_name);
ALTER TABLE ONLY raw_data.deleted_target
    ADD CONSTRAINT deleted_target_pkey PRIMARY KEY (entity, target_uuid, characteristic_uuid);
ALTER TABLE ONLY raw_data.follow_position
    ADD CONSTRAINT follow_position_pkey PRIMARY KEY (only_row);
ALTER TABLE ONLY raw_data.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);
ALTER TABLE ONLY raw_data.part
    ADD CONSTRAINT part_pkey PRIMARY KEY (uuid);
ALTER TABLE ONLY raw_data.raw_data_object
    ADD CONSTRAINT raw_data_object_entity_target_uuid_characteristic_uuid_key_key UNIQUE (entity, target_uuid, characteristic_uuid, key);
ALTER TABLE ONLY raw_data.raw_data_object
    ADD CONSTRAINT raw_data_object_object_name_key UNIQUE (object_name);
ALTER TABLE ONLY raw_data.raw_data_object
    ADD CONSTRAINT raw_data_object_pkey PRIMARY KEY (id);
ALTER TABLE ONLY raw_data.schema_migration
    ADD CONSTRAINT schema_migration_name_key UNIQUE (name);
ALTER TABLE ONLY raw_data.schema_migration
    ADD CONSTRAINT schema_migration_pkey PRIMARY KEY (number);
ALTER TABLE ONLY raw_data.schema_version
    ADD CONSTRAINT schema_version_pkey PRIMARY KEY (only_row);
ALTER TABLE ONLY raw_data.sweep_run
    ADD CONSTRAINT sweep_run_pkey PRIMARY KEY (only_row);
ALTER TABLE ONLY raw_data.thumbnail
    ADD CONSTRAINT thumbnail_object_name_key UNIQUE (object_name);
ALTER TABLE ONLY raw_data.thumbnail
    ADD CONSTRAINT thumbnail_pkey PRIMARY KEY (md5);
CREATE INDEX alarm_characteristic ON inspection.alarm USING btree (characteristic_id, kind, rule, chart);
CREATE INDEX alarm_delivery_finished ON inspection.alarm_delivery USING btree (finished_at);
CREATE INDEX alarm_delivery_open ON inspection.alarm_delivery USING btree (next_at) WHERE (state = ANY (ARRAY['waiting'::text, 'sending'::text]));
CREATE INDEX alarm_delivery_subscription ON inspection.alarm_delivery USING btree (subscription_id, id DESC);
CREATE INDEX alarm_due_at ON inspection.alarm_due USING btree (due_at);
CREATE INDEX alarm_open ON inspection.alarm USING btree (part_id) WHERE (state = ANY (ARRAY['raised'::text, 'acknowledged'::text]));
CREATE INDEX alarm_part ON inspection.alarm USING btree (part_id, raised_at DESC);
CREATE INDEX alarm_point_alarm ON inspection.alarm_point USING btree (alarm_id);
CREATE INDEX alarm_point_measurement ON inspection.alarm_point USING btree (measurement_id);
CREATE INDEX alarm_raised ON inspection.alarm USING btree (raised_at DESC, id DESC);
CREATE INDEX alarm_step_alarm ON inspection.alarm_step USING btree (alarm_id, id);
CREATE INDEX alarm_subscription_owner ON inspection.alarm_subscription USING btree (owner);
CREATE INDEX catalog_entry_attribute_terms ON inspection.catalog_entry USING gin (inspection.attribute_terms(attributes));
CREATE INDEX characteristic_set_stale ON inspection.characteristic_set USING btree (id) WHERE stale;
CREATE INDEX measurement_aggregation ON inspection.measurement USING btree (part_id) WHERE aggregation;
CREATE INDEX measurement_attribute_terms ON inspection.measurement USING gin (inspection.attribute_terms((attributes - '4'::text)));
CREATE INDEX measurement_last_modified ON inspection.measurement USING btree (last_modified);
CREATE INDEX measurement_part_time ON inspection.measurement USING btree (part_id, measured_at DESC NULLS LAST, id DESC);
CREATE INDEX measurement_set ON inspection.measurement USING btree (characteristic_set_id);
CREATE INDEX measurement_time ON inspection.measurement USING btree (measured_at DESC NULLS LAST, id DESC);
CREATE INDEX measurement_with_extras ON inspection.measurement USING btree (id) WHERE (extras IS NOT NULL);
CREATE INDEX note_created ON inspection.note USING btree (created_at DESC, id DESC);
CREATE INDEX note_item ON inspection.note USING btree (item_id);
CREATE INDEX note_measurement ON inspection.note USING btree (measurement_id) WHERE (measurement_id IS NOT NULL);
CREATE INDEX pending_operation_open ON inspection.pending_operation USING btree (requested_at, uuid) WHERE (finished_at IS NULL);
CREATE INDEX plan_item_attribute_terms ON inspection.plan_item USING gin (inspection.attribute_terms(attributes)) WITH (fastupdate=off);
CREATE INDEX plan_item_history_item ON inspection.plan_item_history USING btree (item_id, sequence);
CREATE INDEX plan_item_owner ON inspection.plan_item USING btree (part_id, path) WHERE (kind = 'characteristic'::text);
CREATE INDEX plan_item_part_path ON inspection.plan_item USING btree (path) WHERE (kind = 'part'::text);
CREATE INDEX plan_item_path ON inspection.plan_item USING btree (path);
CREATE UNIQUE INDEX plan_item_uuid ON inspection.plan_item USING btree (uuid);
CREATE INDEX report_expires ON inspection.report USING btree (expires_at);
CREATE INDEX saved_view_owner ON inspection.saved_view USING btree (owner);
CREATE INDEX status_change_at ON inspection.status_change USING btree (changed_at, id);
CREATE INDEX status_change_characteristic ON inspection.status_change USING btree (characteristic_id, changed_at);
CREATE INDEX blob_removal_due ON raw_data.blob_removal USING btree (due);
CREATE INDEX deleted_target_at ON raw_data.deleted_target USING btree (at);
CREATE INDEX part_path ON raw_data.part USING btree (path);
CREATE INDEX raw_data_object_created ON raw_data.raw_data_object USING btree (created);
CREATE INDEX raw_data_object_file_name ON raw_data.raw_data_object USING btree ("left"(lower(file_name), 100) COLLATE "C");
CREATE INDEX raw_data_object_last_modified ON raw_data.raw_data_object USING btree (last_modified);
CREATE INDEX raw_data_object_md5 ON raw_data.raw_data_object USING btree (md5);
CREATE INDEX raw_data_object_mime_type ON raw_data.raw_data_object USING btree (lower(mime_type) COLLATE "C");
CREATE INDEX raw_data_object_part_uuid ON raw_data.raw_data_object USING btree (part_uuid);
CREATE INDEX raw_data_object_size_bytes ON raw_data.raw_data_object USING btree (size_bytes);
CREATE INDEX raw_data_object_trigrams ON raw_data.raw_data_object USING gin (lower(file_name) COLLATE "C" raw_data.gin_trgm_ops, lower(mime_type) COLLATE "C" raw_data.gin_trgm_ops);
CREATE INDEX raw_data_object_value_characteristic ON raw_data.raw_data_object USING btree (characteristic_uuid) WHERE (entity = 'Value'::text);
ALTER TABLE ONLY inspection.attribute_definition
    ADD CONSTRAINT attribute_definition_catalog_fkey FOREIGN KEY (catalog) REFERENCES inspection.catalog(uuid);
ALTER TABLE ONLY inspection.catalog_entry
    ADD CONSTRAINT catalog_entry_catalog_fkey FOREIGN KEY (catalog) REFERENCES inspection.catalog(uuid) ON DELETE CASCADE;
ALTER TABLE ONLY inspection.pending_operation_item
    ADD CONSTRAINT pending_operation_item_operation_fkey FOREIGN KEY (operation) REFERENCES inspection.pending_operation(uuid) ON DELETE CASCADE;
