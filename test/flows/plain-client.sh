#!/bin/sh
# An app client of the plainest kind: curl and sed, written against the interface's description alone.
# Takes BASE_URL, APP_ID, ADMIN_TOKEN, USER_ID, USER_NAME, EMAIL, PASSWORD; goes through all six operations.
set -eu

call() { # method path token body
  printf '> %s %s\n' "$1" "$2" >&2
  curl --silent --show-error --max-time 20 --request "$1" "$BASE_URL$2" \
    --header "app_id: $APP_ID" ${3:+--header "access-token: $3"} \
    ${4:+--header 'content-type: application/json' --data "$4"}
}

text() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
number() { sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p"; }

good() { # name answer
  case $2 in
  '{"code":200,'*'"message":null}') ;;
  *) echo "$1 answered: $2" >&2; exit 1 ;;
  esac
}

is() { # what, have, want
  [ "$2" = "$3" ] || { echo "$1 is $2 and not $3" >&2; exit 1; }
}

answer=$(call POST /token/id '' "{\"user_id\":$USER_ID,\"password\":\"$PASSWORD\",\"device_guid\":\"plain-phone\"}")
good '/token/id' "$answer"
is 'the user' "$(echo "$answer" | number user_id)" "$USER_ID"
token=$(echo "$answer" | text token)
push_token=$(echo "$answer" | text push_token)
[ -n "$token" ] && [ -n "$push_token" ]

answer=$(call POST /token/user '' "{\"name\":\"$USER_NAME\",\"password\":\"$PASSWORD\"}")
good '/token/user' "$answer"
answer=$(call POST /token/login '' "{\"login_name\":\"$EMAIL\",\"password\":\"$PASSWORD\"}")
good '/token/login' "$answer"
is 'a push token without a device' "$(echo "$answer" | text push_token)" ''

answer=$(call GET '/push/certificate?provider=1&environment=1' "$ADMIN_TOKEN" '')
good '/push/certificate' "$answer"
answer=$(call GET '/push/certificate?provider=1' "$token" '')
good '/push/certificate as a user' "$answer"
is 'the secret a user sees' "$(echo "$answer" | text app_secret)" ''

body="{\"audience\":{\"push_token\":[\"$push_token\"]},\"setting\":{\"request_id\":\"plain-1\",\"distribution_strategy\":\"nativepush_only\"},\"message\":{\"title\":\"Hello\",\"badge\":\"\"}}"
answer=$(call POST /push/notify "$ADMIN_TOKEN" "$body")
good '/push/notify' "$answer"
task_id=$(echo "$answer" | number task_id)
answer=$(call POST /push/notify "$ADMIN_TOKEN" "$body")
is 'the task of a repeated request' "$(echo "$answer" | number task_id)" "$task_id"

tries=0
while :; do
  answer=$(call POST /push/task/detail "$ADMIN_TOKEN" "{\"list\":[$task_id]}")
  good '/push/task/detail' "$answer"
  [ "$(echo "$answer" | number nativepush_target)" = 1 ] && break
  tries=$((tries + 1))
  [ $tries -lt 50 ] || { echo "the task has no target: $answer" >&2; exit 1; }
  sleep 0.1
done
is 'sent to a phone that is away' "$(echo "$answer" | number nativepush_sent)" 0
echo "all six operations answered as described; task $task_id"
