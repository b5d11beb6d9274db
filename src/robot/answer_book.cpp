#include "robot/answer_book.hpp"

#include "base/check.hpp"

namespace caribou::robot {

AnswerBook::Entry AnswerBook::open(const Request& request) {
    const Key key = key_of(request);
    if (const auto known = remembered_.find(key); known != remembered_.end()) {
        request.reply(known->second);
        return Entry::repeated;
    }
    if (const auto waiting = open_.find(key); waiting != open_.end()) {
        if (waiting->second.replies.size() >= max_asking) return Entry::full;
        if (waiting->second.accepted) request.reply(*waiting->second.accepted);
        waiting->second.replies.push_back(request.reply);
        return Entry::repeated;
    }
    if (open_.size() >= max_open) return Entry::full;
    open_[key].replies.push_back(request.reply);
    return Entry::fresh;
}

void AnswerBook::answer(const Key& key, const link::Answer& answer) {
    const auto found = open_.find(key);
    check(found != open_.end(), "a command is answered once");
    const std::vector<Reply> replies = found->second.replies;
    if (answer.is_final()) {
        open_.erase(found);
        remembered_[key] = answer;
        order_.push_back(key);
        if (order_.size() > max_remembered) {
            remembered_.erase(order_.front());
            order_.pop_front();
        }
    } else {
        check(!found->second.accepted, "a command is accepted once");
        found->second.accepted = answer;
    }
    for (const Reply& reply : replies) reply(answer);
}

void AnswerBook::refuse_all(const link::Objection& why) {
    while (!open_.empty()) {
        const Key key = open_.begin()->first;
        answer(key, link::Answer::refused({key.second}, why));
    }
}

}  // namespace caribou::robot
