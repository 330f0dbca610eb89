#!/bin/sh
# Creates the bucket of raw-data in MinIO or Silo, and a key that may use only this bucket. May be repeated, also with another secret.
#   prepare-s3.sh            needs the administrator's S3_ROOT_ACCESS_KEY and S3_ROOT_SECRET_KEY, and the variables of raw-data:
#                            S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY and S3_SECRET_KEY
#   prepare-s3.sh policy     prints the policy for S3_BUCKET, for stores that are administrated in another way
set -eu

# The image of a store contains little more than a shell and "mc".
policy() {
  printf '%s\n' '{
  "Version": "2012-10-17",
  "Statement": [
    {
      "Effect": "Allow",
      "Action": ["s3:GetBucketLocation", "s3:ListBucket", "s3:ListBucketMultipartUploads"],
      "Resource": ["arn:aws:s3:::'"$S3_BUCKET"'"]
    },
    {
      "Effect": "Allow",
      "Action": ["s3:GetObject", "s3:PutObject", "s3:DeleteObject", "s3:AbortMultipartUpload", "s3:ListMultipartUploadParts"],
      "Resource": ["arn:aws:s3:::'"$S3_BUCKET"'/*"]
    }
  ]
}'
}

if [ "${1:-}" = policy ]; then
  policy
  exit
fi

name=sinebar-raw-data
export MC_CONFIG_DIR="${MC_CONFIG_DIR:-/tmp/mc}"
# Passes secrets on standard input, because other users can read a command line.
printf '%s\n%s\n' "$S3_ROOT_ACCESS_KEY" "$S3_ROOT_SECRET_KEY" | mc alias set store "$S3_ENDPOINT"
mc mb --ignore-existing --region "$S3_REGION" "store/$S3_BUCKET"
printf '%s\n%s\n' "$S3_ACCESS_KEY" "$S3_SECRET_KEY" | mc admin user add store
policy >"$MC_CONFIG_DIR/policy.json"
mc admin policy create store "$name" "$MC_CONFIG_DIR/policy.json"
# Refused if the user already has the policy, and only then ignored.
if ! answer=$(mc admin policy attach store "$name" --user "$S3_ACCESS_KEY" 2>&1); then
  case $answer in
    *'already in effect'*) ;;
    *) printf '%s\n' "$answer" >&2; exit 1 ;;
  esac
fi
printf '%s\n' "the key $S3_ACCESS_KEY may use the bucket $S3_BUCKET"
