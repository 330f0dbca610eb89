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
    generation bigint DEFAULT 0 NOT NULL
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
INSERT INTO bus.message VALUES (1, '552ed8ec-43c6-4728-84f0-e1d57f6f7429', '{"specversion":"1.0","id":"552ed8ec-43c6-4728-84f0-e1d57f6f7429","source":"/inspection","type":"PartCreated","time":"2026-11-23T13:25:30.592Z","subject":"00000001-0000-4000-8000-000000000000","datacontenttype":"application/json","sinebarpath":"ppump ss/","sinebarpart":"00000001-0000-4000-8000-000000000000","data":{"events":[{"PartUuid":"00000001-0000-4000-8000-000000000000","ParentPartUuid":"00000000-0000-0000-0000-000000000000"}]}}', 436);
INSERT INTO bus.message VALUES (2, '0b869b54-8e18-49bc-b639-568f352fde1e', '{"specversion":"1.0","id":"0b869b54-8e18-49bc-b639-568f352fde1e","source":"/inspection","type":"PartCreated","time":"2026-11-23T13:25:30.592Z","subject":"00000002-0000-4000-8000-000000000000","datacontenttype":"application/json","sinebarpath":"ppump ss/pwheel/","sinebarpart":"00000002-0000-4000-8000-000000000000","data":{"events":[{"PartUuid":"00000002-0000-4000-8000-000000000000","ParentPartUuid":"00000001-0000-4000-8000-000000000000"}]}}', 443);
INSERT INTO bus.message VALUES (3, '94f0c076-2c50-4b59-b293-95bf33707a6b', '{"specversion":"1.0","id":"94f0c076-2c50-4b59-b293-95bf33707a6b","source":"/inspection","type":"CharacteristicCreated","time":"2026-11-23T13:25:30.671Z","subject":"00000001-0000-4000-8000-000000000000","datacontenttype":"application/json","sinebarpath":"ppump ss/","sinebarpart":"00000001-0000-4000-8000-000000000000","data":{"events":[{"CharacteristicUuid":"00000003-0000-4000-8000-000000000000","ParentUuid":"00000001-0000-4000-8000-000000000000"},{"CharacteristicUuid":"00000004-0000-4000-8000-000000000000","ParentUuid":"00000003-0000-4000-8000-000000000000"}]}}', 566);
INSERT INTO bus.message VALUES (4, '7512c62b-44cb-4228-95d3-98e0db5bcbcf', '{"specversion":"1.0","id":"7512c62b-44cb-4228-95d3-98e0db5bcbcf","source":"/inspection","type":"MeasurementCreated","time":"2026-11-23T13:25:30.746Z","subject":"00000001-0000-4000-8000-000000000000","datacontenttype":"application/json","sinebarpath":"ppump ss/","sinebarpart":"00000001-0000-4000-8000-000000000000","data":{"events":[{"CharacteristicUuid":"00000001-0000-4000-8000-000000000000","PartUuid":"00000001-0000-4000-8000-000000000000","MeasurementUuid":"00000006-0000-4000-8000-000000000000"},{"CharacteristicUuid":"00000001-0000-4000-8000-000000000000","PartUuid":"00000001-0000-4000-8000-000000000000","MeasurementUuid":"00000007-0000-4000-8000-000000000000"}]}}', 673);
INSERT INTO bus.message VALUES (5, '3dced9c1-db23-4e4e-9dbb-e7196f665e26', '{"specversion":"1.0","id":"3dced9c1-db23-4e4e-9dbb-e7196f665e26","source":"/raw-data","type":"RawDataCreated","time":"2026-11-23T13:25:30.834Z","subject":"00000001-0000-4000-8000-000000000000","datacontenttype":"application/json","sinebarpath":"ppump ss/","sinebarpart":"00000001-0000-4000-8000-000000000000","data":{"events":[{"RawDataEntity":"Part","TargetUuid":"00000001-0000-4000-8000-000000000000","Key":0,"Filename":"note.txt"}]}}', 436);
INSERT INTO bus.message VALUES (6, 'ed76803a-2585-4871-9a2c-6f9690153b40', '{"specversion":"1.0","id":"ed76803a-2585-4871-9a2c-6f9690153b40","source":"/raw-data","type":"RawDataCreated","time":"2026-11-23T13:25:31.012Z","subject":"00000001-0000-4000-8000-000000000000","datacontenttype":"application/json","sinebarpath":"ppump ss/","sinebarpart":"00000001-0000-4000-8000-000000000000","data":{"events":[{"RawDataEntity":"Part","TargetUuid":"00000001-0000-4000-8000-000000000000","Key":1,"Filename":"archive.zip"}]}}', 439);
INSERT INTO bus.message VALUES (7, '84d7837d-dbb2-4e04-9265-6e088a73b083', '{"specversion":"1.0","id":"84d7837d-dbb2-4e04-9265-6e088a73b083","source":"/raw-data","type":"RawDataCreated","time":"2026-11-23T13:25:31.141Z","subject":"00000006-0000-4000-8000-000000000000","datacontenttype":"application/json","sinebarpath":"ppump ss/","sinebarpart":"00000001-0000-4000-8000-000000000000","data":{"events":[{"RawDataEntity":"Measurement","TargetUuid":"00000006-0000-4000-8000-000000000000","Key":0,"Filename":"measurement.txt"}]}}', 450);
INSERT INTO bus.message VALUES (8, 'e89ff7c0-2f2a-465b-a990-67eae391d430', '{"specversion":"1.0","id":"e89ff7c0-2f2a-465b-a990-67eae391d430","source":"/raw-data","type":"RawDataCreated","time":"2026-11-23T13:25:31.207Z","subject":"00000006-0000-4000-8000-000000000000|00000003-0000-4000-8000-000000000000","datacontenttype":"application/json","sinebarpath":"ppump ss/","sinebarpart":"00000001-0000-4000-8000-000000000000","data":{"events":[{"RawDataEntity":"Value","TargetUuid":"00000006-0000-4000-8000-000000000000|00000003-0000-4000-8000-000000000000","Key":0,"Filename":"value.txt"}]}}', 512);
INSERT INTO bus.message VALUES (9, 'bc21a4b2-ecd4-42dd-a219-3c3f66439669', '{"specversion":"1.0","id":"bc21a4b2-ecd4-42dd-a219-3c3f66439669","source":"/inspection","type":"PartMoved","time":"2026-11-23T13:25:31.228Z","subject":"00000002-0000-4000-8000-000000000000","datacontenttype":"application/json","sinebarpath":"ppump ss/pimpeller/","sinebaroldpath":"ppump ss/pwheel/","sinebarpart":"00000002-0000-4000-8000-000000000000","data":{"events":[{"PartUuid":"00000002-0000-4000-8000-000000000000","FromPath":"PP:/Pump ss/Wheel/","ToPath":"PP:/Pump ss/Impeller/"}]}}', 489);
INSERT INTO bus.stream VALUES (true, '26e6d83594690d7a', 1, 9, 4444);
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
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (1, '00000006-0000-4000-8000-000000000000', 2, '2026-01-02 03:04:05+00', '2026-11-23 13:25:30.697+00', '2026-11-23 13:25:30.697+00', 1, false, '{"4": "2026-01-02T03:04:05Z", "14": "batch"}', NULL, '{10.5,1.2345678901234567e+19}', '\x02fe', '{"4": {"9": "by hand"}, "5": {"1": "12345678901234567890"}}', 0);
INSERT INTO inspection.measurement OVERRIDING SYSTEM VALUE VALUES (2, '00000007-0000-4000-8000-000000000000', 2, '2026-01-02 03:04:06+00', '2026-11-23 13:25:30.697+00', '2026-11-23 13:25:30.697+00', 1, false, '{"4": "2026-01-02T03:04:06Z"}', NULL, '{-0,NULL}', NULL, NULL, 0);
INSERT INTO inspection.plan_item VALUES (1, '00000000-0000-0000-0000-000000000000', 'part', NULL, 1, '', '', '', '/', 0, '{}', NULL, 0, 0, '2026-11-23 13:25:28.151+00', '2026-11-23 13:25:28.151+00', DEFAULT, DEFAULT, DEFAULT, DEFAULT);
INSERT INTO inspection.plan_item VALUES (4, '00000003-0000-4000-8000-000000000000', 'characteristic', 2, 2, 'Diameter', 'diameter', 'ppump ss/cdiameter/', 'PC:/Pump ss/Diameter/', 2, '{"2101": "10", "2110": "9.9", "2111": "10.08"}', NULL, 1, 1, '2026-11-23 13:25:30.619+00', '2026-11-23 13:25:30.619+00', DEFAULT, DEFAULT, DEFAULT, DEFAULT);
INSERT INTO inspection.plan_item VALUES (5, '00000004-0000-4000-8000-000000000000', 'characteristic', 4, 2, 'Form', 'form', 'ppump ss/cdiameter/cform/', 'PCC:/Pump ss/Diameter/Form/', 3, '{}', NULL, 1, 1, '2026-11-23 13:25:30.619+00', '2026-11-23 13:25:30.619+00', DEFAULT, DEFAULT, DEFAULT, DEFAULT);
INSERT INTO inspection.plan_item VALUES (2, '00000001-0000-4000-8000-000000000000', 'part', 1, 2, 'Pump ss', 'pump ss', 'ppump ss/', 'P:/Pump ss/', 1, '{"1001": "old", "1002": "2"}', NULL, 0, 1, '2026-11-23 13:25:30.567+00', '2026-11-23 13:25:30.619+00', DEFAULT, DEFAULT, DEFAULT, DEFAULT);
INSERT INTO inspection.plan_item VALUES (3, '00000002-0000-4000-8000-000000000000', 'part', 2, 3, 'Impeller', 'impeller', 'ppump ss/pimpeller/', 'PP:/Pump ss/Impeller/', 2, '{}', NULL, 2, 2, '2026-11-23 13:25:31.219+00', '2026-11-23 13:25:30.567+00', DEFAULT, DEFAULT, DEFAULT, DEFAULT);
INSERT INTO inspection.schema_migration VALUES (1, '0001-outbox', '2026-11-23 13:25:28.128773+00');
INSERT INTO inspection.schema_migration VALUES (2, '0002-inspection-plan', '2026-11-23 13:25:28.151183+00');
INSERT INTO inspection.schema_migration VALUES (3, '0003-configuration', '2026-11-23 13:25:28.238761+00');
INSERT INTO inspection.schema_migration VALUES (4, '0004-plan-history', '2026-11-23 13:25:28.290038+00');
INSERT INTO inspection.schema_migration VALUES (5, '0005-measurements', '2026-11-23 13:25:28.318299+00');
INSERT INTO inspection.schema_migration VALUES (6, '0006-pending-operations', '2026-11-23 13:25:28.473763+00');
INSERT INTO inspection.schema_migration VALUES (7, '0007-values-version', '2026-11-23 13:25:28.494559+00');
INSERT INTO inspection.schema_version VALUES (true, 7, 0);
INSERT INTO inspection.server_state VALUES (1, 2, '2026-11-23 13:25:31.219+00', '2026-11-23 13:25:28.151+00', '2026-11-23 13:25:30.531+00', '2026-11-23 13:25:30.496+00', 9, 1);
INSERT INTO inspection.statistics VALUES (1, 3, 2, 2, 3);
INSERT INTO raw_data.follow_position VALUES (true, '26e6d83594690d7a', 9, 1);
INSERT INTO raw_data.part VALUES ('00000000-0000-0000-0000-000000000000', '', 1);
INSERT INTO raw_data.part VALUES ('00000001-0000-4000-8000-000000000000', 'ppump ss/', 0);
INSERT INTO raw_data.part VALUES ('00000002-0000-4000-8000-000000000000', 'ppump ss/pimpeller/', 0);
INSERT INTO raw_data.raw_data_object OVERRIDING SYSTEM VALUE VALUES (1, 'Part', '00000001-0000-4000-8000-000000000000', '00000000-0000-0000-0000-000000000000', '00000001-0000-4000-8000-000000000000', 0, 'note.txt', 'text/plain', 30, '\x15d4bcd464fdac20b793aec4722605b7', '2026-11-23 13:25:30.822+00', '2026-11-23 13:25:30.822+00', 'dc02e9b9-25e3-4ccb-89dc-04f87db7c668', '2', NULL);
INSERT INTO raw_data.raw_data_object OVERRIDING SYSTEM VALUE VALUES (2, 'Part', '00000001-0000-4000-8000-000000000000', '00000000-0000-0000-0000-000000000000', '00000001-0000-4000-8000-000000000000', 1, 'archive.zip', 'text/plain', 124, '\xfc7b193f277714aab4dc318f375213ec', '2026-11-23 13:25:31.011+00', '2026-11-23 13:25:31.011+00', '21d8694b-ae0e-4933-97e1-ec37361e5ad9', '2', NULL);
INSERT INTO raw_data.raw_data_object OVERRIDING SYSTEM VALUE VALUES (3, 'Measurement', '00000006-0000-4000-8000-000000000000', '00000000-0000-0000-0000-000000000000', '00000001-0000-4000-8000-000000000000', 0, 'measurement.txt', 'text/plain', 25, '\x3f18a3607be48fed45331510fd7fa7db', '2026-11-23 13:25:31.14+00', '2026-11-23 13:25:31.14+00', '34da3296-4a05-414f-94f0-03f7a1955548', '1', NULL);
INSERT INTO raw_data.raw_data_object OVERRIDING SYSTEM VALUE VALUES (4, 'Value', '00000006-0000-4000-8000-000000000000', '00000003-0000-4000-8000-000000000000', '00000001-0000-4000-8000-000000000000', 0, 'value.txt', 'text/plain', 19, '\x12244d5139e2ec87fc794e33fcdadff3', '2026-11-23 13:25:31.206+00', '2026-11-23 13:25:31.206+00', 'bad706e9-b8e5-487c-a90c-c7d403b1232d', '1.4', 0);
INSERT INTO raw_data.schema_migration VALUES (1, '0001-outbox', '2026-11-23 13:25:28.723184+00');
INSERT INTO raw_data.schema_migration VALUES (2, '0002-raw-data', '2026-11-23 13:25:28.747186+00');
INSERT INTO raw_data.schema_migration VALUES (3, '0003-part-mirror', '2026-11-23 13:25:28.806366+00');
INSERT INTO raw_data.schema_migration VALUES (4, '0004-value-files', '2026-11-23 13:25:28.859945+00');
INSERT INTO raw_data.schema_migration VALUES (5, '0005-thumbnails-and-filters', '2026-11-23 13:25:28.957084+00');
INSERT INTO raw_data.schema_migration VALUES (6, '0006-target-versions', '2026-11-23 13:25:28.957643+00');
INSERT INTO raw_data.schema_version VALUES (true, 6, 0);
INSERT INTO raw_data.sweep_run VALUES (true, '2026-11-23 13:25:29.583477+00');
SELECT pg_catalog.setval('inspection.catalog_position_seq', 1, true);
SELECT pg_catalog.setval('inspection.characteristic_set_id_seq', 1, true);
SELECT pg_catalog.setval('inspection.measurement_id_seq', 2, true);
SELECT pg_catalog.setval('inspection.outbox_id_seq', 5, true);
SELECT pg_catalog.setval('inspection.plan_item_history_sequence_seq', 1, false);
SELECT pg_catalog.setval('inspection.plan_item_id', 5, true);
SELECT pg_catalog.setval('raw_data.outbox_id_seq', 4, true);
SELECT pg_catalog.setval('raw_data.raw_data_object_id_seq', 4, true);
ALTER TABLE ONLY bus.message
    ADD CONSTRAINT message_id_key UNIQUE (id);
ALTER TABLE ONLY bus.message
    ADD CONSTRAINT message_pkey PRIMARY KEY (sequence);
ALTER TABLE ONLY bus.stream
    ADD CONSTRAINT stream_pkey PRIMARY KEY (single);
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
ALTER TABLE ONLY inspection.measurement
    ADD CONSTRAINT measurement_pkey PRIMARY KEY (id);
ALTER TABLE ONLY inspection.measurement
    ADD CONSTRAINT measurement_uuid_key UNIQUE (uuid);
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
CREATE INDEX catalog_entry_attribute_terms ON inspection.catalog_entry USING gin (inspection.attribute_terms(attributes));
CREATE INDEX characteristic_set_stale ON inspection.characteristic_set USING btree (id) WHERE stale;
CREATE INDEX measurement_attribute_terms ON inspection.measurement USING gin (inspection.attribute_terms((attributes - '4'::text)));
CREATE INDEX measurement_last_modified ON inspection.measurement USING btree (last_modified);
CREATE INDEX measurement_part_time ON inspection.measurement USING btree (part_id, measured_at DESC NULLS LAST, id DESC);
CREATE INDEX measurement_set ON inspection.measurement USING btree (characteristic_set_id);
CREATE INDEX measurement_time ON inspection.measurement USING btree (measured_at DESC NULLS LAST, id DESC);
CREATE INDEX measurement_with_extras ON inspection.measurement USING btree (id) WHERE (extras IS NOT NULL);
CREATE INDEX pending_operation_open ON inspection.pending_operation USING btree (requested_at, uuid) WHERE (finished_at IS NULL);
CREATE INDEX plan_item_attribute_terms ON inspection.plan_item USING gin (inspection.attribute_terms(attributes)) WITH (fastupdate=off);
CREATE INDEX plan_item_history_item ON inspection.plan_item_history USING btree (item_id, sequence);
CREATE INDEX plan_item_owner ON inspection.plan_item USING btree (part_id, path) WHERE (kind = 'characteristic'::text);
CREATE INDEX plan_item_part_path ON inspection.plan_item USING btree (path) WHERE (kind = 'part'::text);
CREATE INDEX plan_item_path ON inspection.plan_item USING btree (path);
CREATE UNIQUE INDEX plan_item_uuid ON inspection.plan_item USING btree (uuid);
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
